import { readWorkers } from '../../tools/wrangler.ts'
import { DEPLOYMENT, type DeploymentFolder, groupsLeftOut, SECRETS } from '../deploy/deployment.ts'
import { inOrder } from '../deploy/order.ts'
import { CommandError, withRetryHint } from '../setup/errors.ts'
import { PUBLIC } from '../setup/keys.ts'
import type { Keep } from '../state/steer.ts'
import { ROTATIONS } from './kinds.ts'
import { type Entry, endsAt, type Rotation, type Step, stepOf, type Texts } from './rotation.ts'

export type What = keyof typeof ROTATIONS

/** The file of the rotations in progress, by kind. It holds no secret. */
const FILE = 'rotate.json'

type Options = {
  /** Replaces the key without overlap. */
  isAtOnce: boolean
  /** Says what a run would do, and changes nothing. */
  isPlan: boolean
  clock: () => Date
  sleep: (ms: number) => Promise<unknown>
  /** Deploys these Workers, verifiers before signers, and checks that the service is healthy. */
  deploy: (groups: string[]) => Promise<void>
  /** Records the change for other machines. */
  keep: Keep
  say: (line: string) => void
}

/** The longest time that a run waits. After a longer time the command is repeated. */
const PATIENCE_MS = 10 * 60_000

/**
 * Rotates the keys of one kind, as far as possible now. It adds a new key and deploys it. Once nothing needs
 * the older keys, it removes them and deploys again. A run that is killed and repeated has the same result,
 * since rotate.json names the new key before secrets.json has it.
 * @throws CommandError, UsageError with one sentence that says what to do
 */
export const rotate = (folder: DeploymentFolder, what: What, options: Options): Promise<void> =>
  withRetryHint(
    `Run ${again(what)}${options.isAtOnce ? ' --at-once' : ''} again; it continues where it stopped.`,
    () => carryOn(folder, what, options),
  )

async function carryOn(folder: DeploymentFolder, what: What, options: Options): Promise<void> {
  const { isAtOnce, isPlan, clock, sleep, deploy, keep, say } = options
  const rotation: Rotation = ROTATIONS[what]
  const groups = groupsOf(rotation.names, folder)
  for (;;) {
    const keys = keysIn(folder, rotation)
    const entry = entriesIn(folder)[what]
    const step = stepOf(rotation, keys, entry, { now: clock(), isAtOnce })
    if (isPlan) return say(planOf(rotation, { what, step, isAtOnce, groups, entry }))
    const key = rotation.newest(keys)
    if (step === 'begin') {
      const made = await begin(folder, { what, rotation, keys, isAlone: isAtOnce, now: clock() })
      await keep()
      say(`made   ${made}`)
    } else if (step === 'deploy') {
      const isAlone = entry?.key === key && entry.isAtOnce === true
      publish(folder, rotation.names)
      if (rotation.pin) say(pinOf(rotation.pin(keys)))
      await rotation.beforeDeploy?.(keys, folder, say)
      await deploy(groups)
      if (isAlone) await rotation.end?.prepare?.(keys)
      const isOver = isAlone || !rotation.end
      record(folder, what, isOver ? undefined : { key, deployedAt: clock().toISOString() })
      if (isOver) return say(doneWith(rotation, { what, isAlone, key }))
    } else if (step === 'wait') {
      const leftMs = endOf(rotation, entry).getTime() - clock().getTime()
      if (leftMs > PATIENCE_MS) return say(leftOf(rotation, what, entry))
      say(`wait   ${Math.ceil(leftMs / 1000)} seconds: ${rotation.end?.why}`)
      await sleep(leftMs)
    } else {
      await rotation.end?.prepare?.(keys)
      if (rotation.end?.drop) {
        folder.writeJson(SECRETS, { ...keys, ...rotation.end.drop(keys) })
        await deploy(groups)
      }
      record(folder, what, undefined)
      return say(`done   ${key}: older keys are removed`)
    }
  }
}

/** Makes the new key, after its name is in rotate.json. @returns the name */
async function begin(
  folder: DeploymentFolder,
  start: { what: What; rotation: Rotation; keys: Texts; isAlone: boolean; now: Date },
): Promise<string> {
  const { what, rotation, keys, isAlone, now } = start
  const added = isAlone ? await rotation.replace?.(keys, now) : await rotation.add(keys, now, folder)
  const all = { ...keys, ...added }
  const key = rotation.newest(all)
  record(folder, what, { key, ...(isAlone && { isAtOnce: true }) })
  folder.writeJson(SECRETS, all)
  return key
}

/** @throws CommandError if the deployment has no keys of this kind */
function keysIn(folder: DeploymentFolder, { names }: Rotation): Texts {
  folder.deployment()
  const keys = (folder.read(SECRETS) ?? {}) as Texts
  const missing = names.filter((name) => !keys[name])
  if (missing.length === 0) return keys
  throw new CommandError(
    `${folder.path(SECRETS)} has no ${missing.join(', ')}: this deployment may not need it; otherwise run npm run setup, which makes it.`,
  )
}

const entriesIn = (folder: DeploymentFolder): Partial<Record<What, Entry>> =>
  (folder.read(FILE) ?? {}) as Partial<Record<What, Entry>>

function record(folder: DeploymentFolder, what: What, entry: Entry | undefined): void {
  const { [what]: _, ...others } = entriesIn(folder)
  folder.writeJson(FILE, { ...others, ...(entry && { [what]: entry }) })
}

/** Writes the public parts of the keys to deployment.json, the source of the variables. */
function publish(folder: DeploymentFolder, names: readonly string[]): void {
  const keys = (folder.read(SECRETS) ?? {}) as Texts
  const deployment = folder.deployment()
  const vars = names.filter((name) => PUBLIC.includes(name)).map((name) => [name, keys[name] ?? ''])
  if (vars.length > 0)
    folder.writeJson(DEPLOYMENT, { ...deployment, vars: { ...deployment.vars, ...Object.fromEntries(vars) } })
}

/** Returns the Workers with one of these secrets or variables, in the order to deploy them. */
function groupsOf(names: readonly string[], folder: DeploymentFolder): string[] {
  const left = groupsLeftOut(folder.deployment())
  return inOrder(readWorkers())
    .filter(({ vars, requiredSecrets }) =>
      names.some((name) => name in vars || requiredSecrets.includes(name)),
    )
    .flatMap(({ group }) => (left.includes(group) ? [] : [group]))
}

const again = (what: What) => `npm run rotate -- ${what}`

/** Returns the line for integrators who pin the deployment's keys in their clients. */
const pinOf = ({ field, entry }: ReturnType<NonNullable<Rotation['pin']>>): string =>
  `pin    ${JSON.stringify(entry)}: tell integrators to add it to \`${field}\` of the client’s option \`deployment\``

/** Returns a sentence that says what a run would do. */
function planOf(
  rotation: Rotation,
  run: { what: What; step: Step; isAtOnce: boolean; groups: string[]; entry: Entry | undefined },
): string {
  const { what, step, isAtOnce, groups, entry } = run
  const deploying = `deploy ${groups.join(', ')}, check the service’s health, log in`
  if (step === 'wait') return leftOf(rotation, what, entry)
  if (step === 'begin')
    return `make a new key ${isAtOnce ? 'instead of' : 'besides'} the current one, ${deploying}${noteOf(rotation)}`
  return step === 'end'
    ? `remove the older key, ${rotation.end?.drop ? deploying : ''}`
    : `continue: ${deploying}`
}

const noteOf = ({ afterwards }: Rotation): string => (afterwards ? `; ${afterwards}` : '')

const endOf = ({ end }: Rotation, entry: Entry | undefined): Date =>
  endsAt(entry?.deployedAt ?? '', end?.afterMs ?? 0)

function leftOf(rotation: Rotation, what: What, entry: Entry | undefined): string {
  const from = endOf(rotation, entry).toISOString()
  return `left   the older key, because ${rotation.end?.why}: run ${again(what)} again at ${from} or later`
}

function doneWith(rotation: Rotation, { what, isAlone, key }: { what: What; isAlone: boolean; key: string }) {
  if (isAlone) return `done   ${key} has replaced the older keys of ${what}, which are now rejected`
  const stays = rotation.end ? '' : '; older keys stay, because they are still needed'
  return `done   ${key} is the newest key of ${what}${stays}${noteOf(rotation)}`
}
