import * as v from 'valibot'
import { body, parameters } from './body.ts'

/** Query of GET /health. */
export const HealthQuery = parameters(
  { deep: [v.optional(v.picklist(['0', '1'])), '`1` also checks the systems that the service depends on.'] },
  { deep: '1' },
)

const HealthCheck = v.strictObject({
  status: v.picklist(['up', 'down']),
  latencyMs: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

/** The health of each system behind the service. A deployment without Solana has no RPC node. */
export const HealthChecks = v.strictObject({
  database: HealthCheck,
  kv: HealthCheck,
  rpc: v.optional(HealthCheck),
})

export type HealthChecks = v.InferOutput<typeof HealthChecks>

export const Health = body(
  'Health',
  'The service is healthy and, with `deep=1`, so are the systems that it depends on.',
  {
    status: [v.literal('ok'), '`ok`.'],
    checks: [
      v.optional(HealthChecks),
      'With `deep=1`: of each system, whether it is up and how long its answer took.',
    ],
  },
  {
    status: 'ok',
    checks: {
      database: { status: 'up', latencyMs: 12 },
      kv: { status: 'up', latencyMs: 4 },
      rpc: { status: 'up', latencyMs: 38 },
    },
  },
)
