import { expect, it } from 'vitest'
import { requirePositionQuota } from '../../../lib/vault/guards.ts'

it('an owner has fifty positions, stacks that may still land among them', () => {
  expect(() => requirePositionQuota(40, 9)).not.toThrow()
  expect(() => requirePositionQuota(40, 10)).toThrow(expect.objectContaining({ code: 'quota_exceeded' }))
})
