import { describe, expect, it } from 'vitest'
import { requiredUuid, requiredUuids, UsageError } from '../../../lib/cli/arguments.ts'

const ONE = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
const OTHER = '01938f3e-9a7b-7d2f-8e1c-4b6d8f0a2c3e'

describe('an option with a UUID', () => {
  it('returns it in lower case', () => {
    expect(requiredUuid('--hire', ONE.toUpperCase())).toBe(ONE)
  })

  it.each([undefined, '', 'abc', `${ONE} `, `${ONE},${OTHER}`])('rejects %j', (value) => {
    expect(() => requiredUuid('--hire', value)).toThrow(UsageError)
  })
})

describe('an option with several UUIDs', () => {
  it('returns each once when one is named twice', () => {
    expect(requiredUuids('--charges', `${ONE}, ${OTHER},${ONE.toUpperCase()}`)).toEqual([ONE, OTHER])
  })

  it.each([undefined, '', ',', `${ONE},`, `${ONE},abc`])('rejects %j', (value) => {
    expect(() => requiredUuids('--charges', value)).toThrow(UsageError)
  })
})
