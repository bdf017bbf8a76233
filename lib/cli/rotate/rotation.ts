import type { DeploymentFolder } from '../deploy/deployment.ts'

/** Secrets and public keys by name, as secrets.json has them. */
export type Texts = Record<string, string>

/** How the keys of one kind are replaced. */
export type Rotation = {
  /** The secrets and variables that change. Every Worker that has one of them is deployed. */
  names: readonly string[]
  /** Names the newest key, and repeats no secret. */
  newest(keys: Texts): string
  /** Makes a new key beside those that are still needed. */
  add(keys: Texts, now: Date, folder: DeploymentFolder): Texts | Promise<Texts>
  /** Makes a new key alone; without it a key can't be replaced without overlap. */
  replace?(keys: Texts, now: Date): Texts | Promise<Texts>
  /** Does what must be done before the new key is deployed. @throws Fault that says what to do first */
  beforeDeploy?(keys: Texts, folder: DeploymentFolder, say: (line: string) => void): Promise<void>
  /** How the older keys go; without it they stay, since what was made with them needs them. */
  end?: {
    afterMs: number
    /** Why it takes so long, as in "tokens that it has signed live for 24 hours". */
    why: string
    /** How many keys there are. */
    count(keys: Texts): number
    /** Does what must be done before the older keys can go. */
    prepare?(keys: Texts): Promise<void>
    /** Leaves the newest key alone; without it nothing that Workers have changes. */
    drop?(keys: Texts): Texts
  }
}

/** What is under way: which key is new, and when every Worker had it. */
export type Entry = { key: string; isAtOnce?: boolean; deployedAt?: string }

/** What a run does first; each step but waiting goes on with the next. */
export type Step = 'begin' | 'deploy' | 'wait' | 'end'

/**
 * Decides where a run goes on. An entry is written before its key: one whose key is not the newest was killed
 * in between, and begins anew. Older keys without an entry were added by somebody who wrote none.
 */
export function stepOf(
  rotation: Pick<Rotation, 'newest' | 'end'>,
  keys: Texts,
  entry: Entry | undefined,
  { now, isAtOnce }: { now: Date; isAtOnce: boolean },
): Step {
  const known = entry?.key === rotation.newest(keys) ? entry : undefined
  if (isAtOnce && !known?.isAtOnce) return 'begin'
  if (!known) return (rotation.end?.count(keys) ?? 1) > 1 ? 'deploy' : 'begin'
  if (known.deployedAt === undefined || !rotation.end) return 'deploy'
  return now.getTime() < endsAt(known.deployedAt, rotation.end.afterMs).getTime() ? 'wait' : 'end'
}

export const endsAt = (deployedAt: string, afterMs: number): Date =>
  new Date(Date.parse(deployedAt) + afterMs)

/** The newest of a list: the last. */
export const lastOf = (list = ''): string => list.split(',').at(-1)?.trim() ?? ''
