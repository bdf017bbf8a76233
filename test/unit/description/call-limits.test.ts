import { expect, it } from 'vitest'
import { rateLimits } from '../../../lib/http/rate-limit.ts'
import { KEYS, keysIn, limitRows } from '../../../lib/tools/description/call-limits.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'

it('every limit counts by known keys, and names whom or what it protects', () => {
  const rows = limitRows()
  expect(rows.filter(([, , by]) => keysIn(by).some((key) => !Object.hasOwn(KEYS, key)))).toEqual([])
  expect(rows.filter(([, , , , protects]) => protects.trim() === '')).toEqual([])
  const used = new Set(rows.flatMap(([, , by]) => keysIn(by)))
  expect(Object.keys(KEYS).filter((key) => !used.has(key))).toEqual([])
})

it('every rate limit and every variable of a limit by address has a row', () => {
  const named = limitRows()
    .map(([, howMany]) => howMany)
    .join()
  const variables = readWorkers().flatMap(({ vars = {} }) => Object.keys(vars))
  const limits = variables.filter((name) => /_PER_(ADDRESS|WALLET|DAY)$/.test(name))
  expect(limits).toContain('HIRES_PER_ADDRESS')
  const missing = [...Object.keys(rateLimits), ...limits].filter((name) => !named.includes(`\`${name}\``))
  expect(missing).toEqual([])
})
