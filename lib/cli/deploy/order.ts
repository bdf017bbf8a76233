import type { WorkerConfig } from '../../tools/wrangler.ts'

/**
 * Sorts Workers into the order to deploy them in. A Worker that signs comes after the Workers that check,
 * which would reject a new key otherwise. A Worker with service bindings comes after the Workers that they
 * name, without which it can't be deployed. jobs comes before events, which publishes the webhook keys. That
 * does no harm: during a rotation a key that is already published signs, too.
 * @throws Error that names Workers which depend on each other in a circle
 */
export const inOrder = (workers: WorkerConfig[]): WorkerConfig[] =>
  workers.toSorted((a, b) => rank(a, workers, []) - rank(b, workers, []))

/** The secret that a Worker signs with, and the variable that others check with. */
const CHECKED_BY: Record<string, string> = {
  SESSION_SIGNING_KEY: 'SESSION_JWKS',
  VAULT_AUTHORITY_KEYS: 'VAULT_AUTHORITY_ADDRESSES',
  PAYMENTS_AUTHORITY_KEYS: 'PAYMENTS_AUTHORITY_ADDRESSES',
}

function rank(worker: WorkerConfig, workers: WorkerConfig[], before: WorkerConfig[]): number {
  const way = [...before, worker]
  if (before.includes(worker))
    throw new Error(`Workers bind each other in a circle: ${way.map(({ group }) => group).join(', ')}`)
  const checking = worker.requiredSecrets.flatMap((name) => CHECKED_BY[name] ?? [])
  const first = workers.filter(
    (other) =>
      worker.services.includes(other.name) ||
      (other !== worker &&
        checking.some((name) => other.requiredSecrets.includes(name) || name in other.vars)),
  )
  return Math.max(0, ...first.map((other) => rank(other, workers, way) + 1))
}
