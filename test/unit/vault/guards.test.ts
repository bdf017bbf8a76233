import { expect, it } from 'vitest'
import { requirePlace } from '../../../lib/vault/guards.ts'

it('an owner has fifty positions, stacks that may still land among them', () => {
  expect(() => requirePlace(40, 9)).not.toThrow()
  expect(() => requirePlace(40, 10)).toThrow(expect.objectContaining({ code: 'quota_exceeded' }))
})
