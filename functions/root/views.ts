import type { Wire } from '../../schema/wire/common.ts'
import type { Health, HealthChecks } from '../../schema/wire/health.ts'

/** Health of the contract; the checks only if they were asked for. */
export const healthView = (health: { status: 'ok'; checks?: HealthChecks }): Wire<typeof Health> => ({
  status: health.status,
  checks: health.checks,
})
