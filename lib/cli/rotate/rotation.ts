import type { DeploymentFolder } from '../deploy/deployment.ts'

/** Secrets and public keys by name, as secrets.json has them. */
export type Texts = Record<string, string>

/** The replacement of one kind of keys. */
export type Rotation = {
  /** The secrets and variables that change. Every Worker that has one of them is deployed. */
  names: readonly string[]
  /** Names the newest key, and repeats no secret. */
  newest(keys: Texts): string
  /** Adds a new key to the keys that are still needed. */
  add(keys: Texts, now: Date, folder: DeploymentFolder): Texts | Promise<Texts>
  /** Replaces all keys by a new one. Absent if the kind has no rotation without overlap. */
  replace?(keys: Texts, now: Date): Texts | Promise<Texts>
  /** Prepares the deployment of the new key. @throws CommandError that says what to do first */
  beforeDeploy?(keys: Texts, folder: DeploymentFolder, say: (line: string) => void): Promise<void>
  /** What integrators add to the option `deployment` of the client: the field, and the newest key's entry. */
  pin?(keys: Texts): { field: 'vaultKeys' | 'paymentKeys'; entry: object }
  /** What users have to do after it, as a clause. */
  afterwards?: string
  /**
   * The removal of the older keys. Without it they stay, since accounts or signatures made with them need
   * them.
   */
  end?: {
    afterMs: number
    /** Why it takes so long, as in "refresh tokens that it signed are valid for 30 days". */
    why: string
    /** Counts the keys. */
    count(keys: Texts): number
    /** Prepares the removal of the older keys. */
    prepare?(keys: Texts): Promise<void>
    /** Keeps only the newest key. Without it the Workers' settings stay as they are. */
    drop?(keys: Texts): Texts
  }
}

/** A rotation in progress: the new key, and when all Workers had it. */
export type Entry = { key: string; isAtOnce?: boolean; deployedAt?: string }

/** The first step of a run. Each step except `wait` goes on with the next. */
export type Step = 'begin' | 'deploy' | 'wait' | 'end'

/**
 * Decides where a run goes on. An entry is written before its key. If its key is not the newest, the run was
 * killed in between, and begins again. Older keys without an entry were added by hand.
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

/** Reads the newest version and its address from a list. */
export function newestVersionIn(list: string | undefined): { version: number; address: string } {
  const [version = '', address = ''] = lastOf(list).split(':')
  return { version: Number(version), address }
}
