import type { WorkerConfig } from '../../tools/wrangler.ts'
import { isAdded, type RawConfig, type RawGroup } from '../deploy/config.ts'
import { Fault } from '../setup/faults.ts'

/**
 * What a run does with a Worker. `kept`: it leaves the version that ran when the run began. `version`: it
 * uploads, asks and promotes one. `new`, and `class` for new classes of Durable Objects: it deploys the
 * Worker at once, since Cloudflare takes no version of it. `stays`: a rollback leaves a Worker whose class
 * the former release lacks.
 */
type Kind = 'kept' | 'version' | 'new' | 'class' | 'stays'
export type Step = { worker: WorkerConfig; kind: Kind }

type Known = {
  config: RawConfig
  /** The Workers that are there, with the tag of the last step of their classes. */
  there: ReadonlyMap<string, string | undefined>
  /** By group: of what Workers would be made, and those were made that ran when the run began. */
  hashes: Record<string, string>
  deployed: Record<string, string>
}

/**
 * Says what an upgrade does with each Worker, in the order in which it does it.
 * @throws Fault where a release uses a Worker or a class that it brings
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
 * Says what a rollback does with each Worker of the former release. A Worker with a later class stays:
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

/** Classes of Durable Objects of the steps that a Worker has not taken yet. */
function newClasses({ migrations = [] }: RawGroup, tag: string | undefined): string[] {
  const taken = migrations.findIndex((step) => step.tag === tag)
  return migrations
    .slice(taken + 1)
    .flatMap(({ tag: _, new_classes = [], new_sqlite_classes = [], ...others }) => [
      ...new_classes,
      ...new_sqlite_classes,
      // Renamed and deleted ones can't go up as a version either.
      ...Object.keys(others),
    ])
}

/**
 * A version that uses what its release brings can't be rolled back past it. Root's bindings that a deployment
 * adds are no use: root's version is rolled back alone.
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
    throw new Fault(
      `${raw.name} uses ${used}, which this release brings: a new Worker or class of Durable Objects comes in a release of its own, and is used from the next one on. Upgrade to the release in between first. Nothing was done.`,
    )
}
