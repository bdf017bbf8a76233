import type { WorkerConfig } from '../../tools/wrangler.ts'
import { isAdded, type RawConfig, type RawGroup } from '../deploy/config.ts'
import { CommandError } from '../setup/errors.ts'

/**
 * The treatment of a Worker by a run. `kept`: leaves the version that ran when the run began. `version`:
 * uploads a version, asks for its health and promotes it. `new`, and `class` for new classes of Durable
 * Objects: deploys the Worker directly, since Cloudflare takes no version of it. `stays`: a rollback leaves a
 * Worker whose class the former release lacks.
 */
type Kind = 'kept' | 'version' | 'new' | 'class' | 'stays'
export type Step = { worker: WorkerConfig; kind: Kind }

type Known = {
  config: RawConfig
  /** The deployed Workers, each with the tag of its last Durable Object migration. */
  there: ReadonlyMap<string, string | undefined>
  /** Hashes by group: of the planned Workers, and of the Workers that ran when the run began. */
  hashes: Record<string, string>
  deployed: Record<string, string>
}

/**
 * Plans what an upgrade does with each Worker, in order.
 * @throws CommandError if a release uses a Worker or a class that it adds itself
 */
export function planWorkers(workers: WorkerConfig[], known: Known): Step[] {
  const { config, there, hashes, deployed } = known
  const rawOf = ({ group }: WorkerConfig) => config.env[group] as RawGroup
  const kindOf = (worker: WorkerConfig): Kind => {
    const { name, group } = worker
    if (!there.has(name)) return 'new'
    if (newClasses(rawOf(worker), there.get(name)).length > 0) return 'class'
    return hashes[group] === deployed[group] ? 'kept' : 'version'
  }
  const steps = workers.map((worker) => ({ worker, kind: kindOf(worker) }))
  for (const { worker, kind } of steps) if (kind !== 'new') requireUnused(rawOf(worker), steps, known)
  return steps
}

/**
 * Plans what a rollback does with each Worker of the former release. A Worker with a later class stays:
 * Cloudflare refuses code that lacks the class (10064), and versions from before the class (10212).
 */
export function planBack(workers: WorkerConfig[], { config, there, hashes, deployed }: Known): Step[] {
  const kindOf = ({ name, group }: WorkerConfig): Kind => {
    if (!there.has(name)) return 'new'
    const tag = there.get(name)
    const steps = config.env[group]?.migrations ?? []
    if (tag !== undefined && !steps.some((step) => step.tag === tag)) return 'stays'
    return hashes[group] === deployed[group] ? 'kept' : 'version'
  }
  return workers.map((worker) => ({ worker, kind: kindOf(worker) }))
}

/** Returns the classes in the Durable Object migrations that a Worker has not run yet. */
function newClasses({ migrations = [] }: RawGroup, tag: string | undefined): string[] {
  const taken = migrations.findIndex((step) => step.tag === tag)
  return migrations
    .slice(taken + 1)
    .flatMap(({ tag: _, new_classes = [], new_sqlite_classes = [], ...others }) => [
      ...new_classes,
      ...new_sqlite_classes,
      // A version can't rename or delete a class either.
      ...Object.keys(others),
    ])
}

/**
 * Checks that a version uses nothing that its release adds, since it could not be rolled back past that. The
 * bindings that a deployment adds to root don't count: root's version is rolled back alone.
 */
function requireUnused(raw: RawGroup, steps: Step[], { config, there }: Known): void {
  const added = steps.filter(({ kind }) => kind === 'new').map(({ worker }) => worker.name)
  const services = (raw.services ?? []).filter((one) => !isAdded(one) && added.includes(one.service))
  const objects = (raw.durable_objects?.bindings ?? []).filter(({ class_name, script_name = raw.name }) => {
    const owner = Object.values(config.env).find(({ name }) => name === script_name)
    return owner && newClasses(owner, there.get(script_name)).includes(class_name)
  })
  const used = services[0]?.service ?? objects[0]?.class_name
  if (used !== undefined)
    throw new CommandError(
      `${raw.name} uses ${used}, which this release adds: a release must not use a Worker or Durable Object class that it adds. Upgrade to the release in between first. Nothing was changed.`,
    )
}
