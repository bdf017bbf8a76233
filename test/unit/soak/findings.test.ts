import { describe, expect, it } from 'vitest'
import { findingsOf, type Report } from '../../soak/findings.ts'

const run = { root: '/project', script: 'test', seed: 7, exitCode: 1 }
const passed = { status: 'passed', fullName: 'a rule holds', failureMessages: [] }
const failed = {
  status: 'failed',
  fullName: 'a rule breaks',
  failureMessages: ['expected 1', 'counterexample'],
}
const file = (changes: Partial<Report['testResults'][number]>) => ({
  name: '/project/test/unit/a.test.ts',
  status: 'failed',
  message: '',
  assertionResults: [],
  ...changes,
})

describe('findings of a soak', () => {
  it('names a test that failed, with the command that shows it again', () => {
    const report = { testResults: [file({ assertionResults: [passed, failed] })] }
    expect(findingsOf(report, run)).toEqual([
      {
        title: 'test/unit/a.test.ts: a rule breaks',
        command: 'SEED=7 npm run test -- test/unit/a.test.ts',
        message: 'expected 1\ncounterexample',
      },
    ])
  })

  it('names a file that failed before its tests', () => {
    const report = { testResults: [file({ message: 'does not compile' })] }
    expect(findingsOf(report, run)).toMatchObject([
      { title: 'test/unit/a.test.ts', message: 'does not compile' },
    ])
  })

  it('names a run that failed without a failed test', () => {
    const report = { testResults: [file({ status: 'passed', assertionResults: [passed] })] }
    expect(findingsOf(report, run)).toMatchObject([
      { command: 'SEED=7 npm run test', message: 'exit code 1' },
    ])
    expect(findingsOf(report, { ...run, exitCode: 0 })).toEqual([])
  })
})
