import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../lib/cli/arguments.ts'
import { readRuns } from '../../../lib/cli/generate/runs.ts'

const GENERATORS = ['types', 'migrations', 'openapi']

describe('the command line of generate', () => {
  it('names no migration when every generator runs', () => {
    expect(readRuns([], GENERATORS)).toEqual(GENERATORS.map((generator) => ({ generator })))
  })

  it('has a name after migrations, and then other generators', () => {
    expect(readRuns(['openapi', 'migrations', 'agent_support_url', 'types'], GENERATORS)).toEqual([
      { generator: 'openapi' },
      { generator: 'migrations', migration: 'agent_support_url' },
      { generator: 'types' },
    ])
  })

  it.each([[], ['openapi'], ['Support URL'], ['0011_url'], ['']])(
    'is refused when the migration is named %j',
    (...name) => {
      expect(() => readRuns(['migrations', ...name], GENERATORS)).toThrow(UsageError)
    },
  )

  it('is refused when a generator is unknown', () => {
    expect(() => readRuns(['openapi', 'clients'], GENERATORS)).toThrow(
      new UsageError('there is no generator clients.'),
    )
  })
})
