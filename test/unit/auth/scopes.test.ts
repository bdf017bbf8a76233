import { describe, expect, it } from 'vitest'
import { permissionsOfScope, SCOPES, scopeOf } from '../../../lib/auth/oauth/scopes.ts'
import { permissions } from '../../../schema/values.ts'

describe('permissionsOfScope', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['read', []],
    ['read agents:hire', ['agents:hire']],
    ['vault:transact agents:hire agents:hire', ['agents:hire', 'vault:transact']],
    ['openid offline_access agents:charge', ['agents:charge']],
    ['agents:register agents:moderate oracle:decide *', []],
    ['AGENTS:HIRE agents:hire,agents:charge', []],
  ])('reads %j as %j', (scope, expected) => {
    expect(permissionsOfScope(scope)).toEqual(expected)
  })
})

describe('scopeOf', () => {
  it('returns read and the permissions of scopes, in their order', () => {
    expect(scopeOf([])).toBe('read')
    expect(scopeOf(['vault:transact', 'agents:hire'])).toBe('read agents:hire vault:transact')
  })

  it('leaves out permissions that no grant has', () => {
    expect(scopeOf(permissions)).toBe(SCOPES.join(' '))
  })
})
