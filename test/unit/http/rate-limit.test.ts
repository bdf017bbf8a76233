import { describe, expect, it } from 'vitest'
import { type LimitName, PERIOD_S, policyOf, rateLimits } from '../../../lib/http/rate-limit.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'

describe('the limits that clients see', () => {
  const bindings = readWorkers().flatMap(({ group, options }) =>
    Object.entries(options.ratelimits ?? {}).map(([name, { namespace_id, simple }]) => ({
      group,
      name,
      namespace_id,
      simple,
    })),
  )

  it('are all limits of wrangler.toml', () => {
    expect(new Set(bindings.map(({ name }) => name))).toEqual(new Set(Object.keys(rateLimits)))
    const documented = new Map<string, number>(Object.entries(rateLimits))
    for (const { group, name, simple } of bindings) {
      expect({ group, name, limit: documented.get(name), period: PERIOD_S }).toEqual({
        group,
        name,
        ...simple,
      })
    }
  })

  it('have one namespace each', () => {
    const pairs = new Set(bindings.map(({ name, namespace_id }) => `${name} ${namespace_id}`))
    expect(pairs.size).toBe(Object.keys(rateLimits).length)
    expect(new Set(bindings.map(({ namespace_id }) => namespace_id)).size).toBe(pairs.size)
  })

  it('have unique names in RateLimit-Policy', () => {
    const policies = Object.keys(rateLimits).map((name) => policyOf(name as LimitName))
    expect(policies).toContain('public-write')
    expect(new Set(policies).size).toBe(policies.length)
  })
})
