import { describe, expect, it } from 'vitest'
import { statusesAllowing } from '../../../lib/agents/rules.ts'

describe('a change of status', () => {
  it.each([
    ['owner', 'active', ['active', 'inactive']],
    ['owner', 'inactive', ['active', 'inactive']],
    ['owner', 'suspended', []],
    ['owner', undefined, ['active', 'inactive', 'suspended']],
    ['operator', 'suspended', ['active', 'inactive', 'suspended']],
    ['operator', 'inactive', ['suspended']],
    ['operator', 'active', []],
    ['operator', undefined, []],
  ] as const)('by the %s to %s is allowed from %j', (role, to, from) => {
    expect(statusesAllowing(role, to)).toEqual(from)
  })
})
