import type { RawConfig } from '../deploy/config.ts'
import { runWrangler } from '../deploy/run.ts'
import { CALLS_OF_WRANGLER } from '../deploy/wrangler.ts'
import { commandErrorOf } from '../setup/errors.ts'
import type { Work } from './work.ts'

/**
 * Returns the groups whose triggers (routes, domains, crons, queue consumers) differ between two
 * configurations.
 */
export const changedTriggers = (before: RawConfig, after: RawConfig): string[] =>
  Object.keys(after.env).filter((group) => triggersOf(before, group) !== triggersOf(after, group))

function triggersOf({ env }: RawConfig, group: string): string {
  const { routes, workers_dev, triggers, queues } = env[group] ?? {}
  return JSON.stringify([routes ?? [], workers_dev ?? false, triggers?.crons ?? [], queues?.consumers ?? []])
}

/** The configuration for the deployment of triggers. */
const FILE = 'triggers.json'

/**
 * Deploys the triggers of a group from a configuration. wrangler leaves crons that the configuration omits.
 * @throws CommandError
 */
export async function runTriggers(
  { folder, env, timeoutMs }: Pick<Work, 'folder' | 'env' | 'timeoutMs'>,
  config: RawConfig,
  group: string,
): Promise<void> {
  const { [group]: raw } = config.env
  if (raw === undefined) return
  const triggers = { crons: raw.triggers?.crons ?? [] }
  folder.writeJson(FILE, { ...config, env: { [group]: { ...raw, triggers } } })
  const made = { deployment: folder.deployment() }
  const run = { env, timeoutMs: CALLS_OF_WRANGLER * timeoutMs }
  await runWrangler(folder, made, ['triggers', 'deploy'], group, run, FILE)
    .catch((error) => {
      throw commandErrorOf(error, `deploying the triggers of ${group}`)
    })
    .finally(() => folder.remove(FILE))
}
