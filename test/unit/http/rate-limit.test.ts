import { describe, expect, it } from 'vitest'
import { clientAddress, rateLimits } from '../../../lib/http/rate-limit.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'

describe('the client address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::4:5:6:7:8', '2001:db8:0:4'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
    ['::', '0:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
    ['1::', '1:0:0:0'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ])('of %s counts as %s', (header, expected) => {
    expect(clientAddress(header)).toBe(expected)
  })

  it('is one for all without the header, which Cloudflare always sets', () => {
    expect(clientAddress(undefined)).toBe('unknown')
  })

  it('differs between networks and not within one', () => {
    expect(clientAddress('2001:db8:0:1::1')).not.toBe(clientAddress('2001:db8:0:2::1'))
    expect(clientAddress('2001:db8:0:1::1')).toBe(clientAddress('2001:db8:0:1:ffff:ffff:ffff:ffff'))
    expect(clientAddress('::ffff:203.0.113.9')).not.toBe(clientAddress('::ffff:203.0.113.10'))
  })
})

describe('the limits that clients are told', () => {
  const bindings = readWorkers().flatMap(({ group, options }) =>
    Object.entries(options.ratelimits ?? {}).map(([name, { namespace_id, simple }]) => ({
      group,
      name,
      namespace_id,
      simple,
    })),
  )

  it('are those of wrangler.toml, all of them', () => {
    expect(new Set(bindings.map(({ name }) => name))).toEqual(new Set(Object.keys(rateLimits)))
    const told = new Map(Object.entries(rateLimits))
    for (const { group, name, simple } of bindings) {
      const { limit, period } = told.get(name) ?? {}
      expect({ group, name, limit, period }).toEqual({ group, name, ...simple })
    }
  })

  it('are counted in one namespace each, since a namespace holds one limit', () => {
    const pairs = new Set(bindings.map(({ name, namespace_id }) => `${name} ${namespace_id}`))
    expect(pairs.size).toBe(Object.keys(rateLimits).length)
    expect(new Set(bindings.map(({ namespace_id }) => namespace_id)).size).toBe(pairs.size)
  })

  it('have a name of their own in RateLimit-Policy', () => {
    const policies = Object.values(rateLimits).map(({ policy }) => policy)
    expect(new Set(policies).size).toBe(policies.length)
  })
})
