import type { WorkerConfig } from '../../tools/wrangler.ts'

/**
 * Sorts Workers into the order to deploy them in. A Worker that signs comes after the Workers that check,
 * which would not know a new key otherwise; a Worker with service bindings comes after the Workers that it is
 * bound to, without which it cannot be deployed. That jobs comes before events, which publishes the keys of
 * webhooks, does no harm: whenever they rotate, a key that was published before signs, too.
 * @throws Error that names Workers which wait in a circle: none of them could be the first
 */
export const inOrder = (workers: WorkerConfig[]): WorkerConfig[] =>
  workers.toSorted((a, b) => rank(a, workers, []) - rank(b, workers, []))

/** By what a Worker signs, and by what others check that. */
const CHECKED_BY: Record<string, string> = {
  SESSION_SIGNING_KEY: 'SESSION_JWKS',
  VAULT_AUTHORITY_KEYS: 'VAULT_AUTHORITY_ADDRESSES',
  PAYMENTS_AUTHORITY_KEYS: 'PAYMENTS_AUTHORITY_ADDRESSES',
}

function rank(worker: WorkerConfig, workers: WorkerConfig[], before: WorkerConfig[]): number {
  const way = [...before, worker]
  if (before.includes(worker))
    throw new Error(`bound in a circle: ${way.map(({ group }) => group).join(', ')}`)
  const checking = worker.requiredSecrets.flatMap((name) => CHECKED_BY[name] ?? [])
  const first = workers.filter(
    (other) =>
      worker.services.includes(other.name) ||
      (other !== worker &&
        checking.some((name) => other.requiredSecrets.includes(name) || name in other.vars)),
  )
  return Math.max(0, ...first.map((other) => rank(other, workers, way) + 1))
}
