import type { WorkerConfig } from '../../tools/wrangler.ts'

/**
 * Sorts Workers into the order to deploy them in. The Worker that signs tokens comes after the Workers that
 * check them, which would not know a new key otherwise; a Worker with service bindings comes after the
 * Workers that it is bound to, without which it cannot be deployed. The vault comes after settlement, which
 * would not know the vaults of a new key otherwise. That jobs comes before events, which publishes the keys
 * of webhooks, does no harm: whenever they rotate, a key that was published before signs, too.
 * @throws Error that names Workers which are bound in a circle: none of them could be the first
 */
export const inOrder = (workers: WorkerConfig[]): WorkerConfig[] =>
  workers.toSorted((a, b) => rank(a, workers, []) - rank(b, workers, []))

/** What goes up last, the last first. */
const LATE = ['SESSION_SIGNING_KEY', 'VAULT_AUTHORITY_KEYS', 'WEBHOOK_SIGNING_KEYS']

function rank(worker: WorkerConfig, workers: WorkerConfig[], before: WorkerConfig[]): number {
  const { requiredSecrets, services } = worker
  const way = [...before, worker]
  if (before.includes(worker))
    throw new Error(`bound in a circle: ${way.map(({ group }) => group).join(', ')}`)
  const bound = workers
    .filter(({ name }) => services.includes(name))
    .map((other) => rank(other, workers, way))
  const index = LATE.findIndex((name) => requiredSecrets.includes(name))
  return Math.max(index === -1 ? 0 : LATE.length - index, ...bound.map((other) => other + 1))
}
