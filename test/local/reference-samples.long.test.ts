import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { curlOf } from '../../lib/tools/description/reference/curl.ts'
import { operationsOf } from '../../lib/tools/description/reference/description.ts'
import { GUIDES } from '../../lib/tools/description/reference/guides/index.ts'
import { BEFORE } from '../../lib/tools/description/reference/overrides.ts'
import * as examples from '../../schema/examples.ts'
import { usePlatform } from '../support/platform.ts'
import { callable, document } from '../support/samples.ts'

/** What ends something that other samples need: they run last, in this order. */
const ENDING = [
  'terminateHire',
  'deleteEndpoint',
  'moderateRegisteredAgent',
  'removeRegisteredAgent',
  'revokeSessions',
]

const operations = callable.toSorted(
  (a, b) => ENDING.indexOf(a.operation.operationId) - ENDING.indexOf(b.operation.operationId),
)

const trusted = { ORACLE_WALLETS: examples.WALLET, OPERATOR_WALLETS: examples.WALLET }
const platform = usePlatform(async () => trusted, ['--example'])

/** The guide's commands for the shell, once the platform runs. */
function setUp(port: string): string {
  const [, ...steps] = (GUIDES.find(({ id }) => id === 'guide-examples')?.steps ?? []).filter(
    ({ language }) => language === 'sh',
  )
  return steps
    .map(({ code }) => code)
    .join('\n')
    .replaceAll('8787', port)
}

/** Runs a sample as a reader does, and prints its operation, the status and the answer. */
const commandOf = (id: string, line: string) => `(
${BEFORE[id] ?? ''}
curl() { command curl -s -o answer.txt -w '%{http_code}' "$@"; }
printf '%s %s ' ${id} "$(
${line}
)"
tr -d '\\n' < answer.txt
echo
)`

/** The commands leave key files and answers in it. */
const folder = mkdtempSync(join(tmpdir(), 'agentcred-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let answers: Map<string, string>
beforeAll(async () => {
  await platform.script.printed('the market is filled')
  const lines = operations.map((one) => commandOf(one.operation.operationId, curlOf(one) ?? ''))
  const script = [setUp(platform.env.PORT), ...lines].join('\n')
  const options = { cwd: folder, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
  answers = new Map(stdout.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line]))
})

it('has a line of curl for every operation when that is no WebSocket', () => {
  const without = operationsOf(document).filter((one) => curlOf(one) === undefined)
  expect(without.map(({ operation }) => operation.operationId)).toEqual(['listenToEvents'])
  expect(operations.length).toBe(95)
})

it.each(operations.map(({ operation, method, path }) => [`${method} ${path}`, operation.operationId]))(
  'answers 2xx when the example market is there: %s',
  (_, id) => {
    expect(answers.get(id)).toMatch(new RegExp(`^${id} 2\\d\\d `))
  },
)
