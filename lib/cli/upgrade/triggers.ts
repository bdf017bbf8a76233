import type { RawConfig } from '../deploy/config.ts'

/**
 * The groups whose triggers (routes, domains, crons, consumers of queues) differ between two configurations.
 */
export const changedTriggers = (before: RawConfig, after: RawConfig): string[] =>
  Object.keys(after.env).filter((group) => triggersOf(before, group) !== triggersOf(after, group))

function triggersOf({ env }: RawConfig, group: string): string {
  const { routes, workers_dev, triggers, queues } = env[group] ?? {}
  return JSON.stringify([routes ?? [], workers_dev ?? false, triggers?.crons ?? [], queues?.consumers ?? []])
}
