import * as v from 'valibot'

/** Query of GET /health. */
export const HealthQuery = v.object({ deep: v.optional(v.picklist(['0', '1'])) })

const HealthCheck = v.strictObject({
  status: v.picklist(['up', 'down']),
  latencyMs: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

/** How each system behind the service answers. */
export const HealthChecks = v.strictObject({ database: HealthCheck, kv: HealthCheck, rpc: HealthCheck })

export type HealthChecks = v.InferOutput<typeof HealthChecks>

export const Health = v.strictObject({
  status: v.literal('ok'),
  checks: v.optional(HealthChecks),
})
