import { relative } from 'node:path'

/** A part of what vitest's JSON reporter writes. */
export type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** A test that failed under a seed, and the command that shows it again. */
export type Finding = { title: string; command: string; message: string }

/** A run of the tests: its script of package.json (`test` or `test:models`), its seed and its exit code. */
export type Run = { root: string; script: string; seed: number; exitCode: number | null }

/**
 * Returns a finding for each test that failed, for each file that failed as a whole, and for a run that
 * failed without either.
 */
export function findingsOf({ testResults }: Report, { root, script, seed, exitCode }: Run): Finding[] {
  const findings = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name)
      const command = `SEED=${seed} npm run ${script} -- ${file}`
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0) return [{ title: file, command, message }]
      return failed.map(({ fullName, failureMessages }) => ({
        title: `${file}: ${fullName}`,
        command,
        message: failureMessages.join('\n'),
      }))
    })
  if (findings.length > 0 || exitCode === 0) return findings
  const command = `SEED=${seed} npm run ${script}`
  return [{ title: 'no test failed, but the run did', command, message: `exit code ${exitCode}` }]
}
