import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../lib/local/loopback.ts'
import { curlOf } from '../../lib/tools/description/reference/curl.ts'
import { operationsOf } from '../../lib/tools/description/reference/description.ts'
import { BEFORE } from '../../lib/tools/description/reference/overrides.ts'
import * as examples from '../../schema/examples.ts'
import { installInto, runGuide, setUp, withPorts } from '../support/guides.ts'
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
  installInto(folder)
  await platform.script.printed('the market is filled')
  const lines = operations.map((one) => commandOf(one.operation.operationId, curlOf(one) ?? ''))
  const script = [withPorts(setUp(), { 8787: platform.env.PORT }), ...lines].join('\n')
  const options = { cwd: folder, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
  answers = new Map(stdout.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line]))
})

it('has a curl command for every operation except WebSockets', () => {
  const without = operationsOf(document).filter((one) => curlOf(one) === undefined)
  expect(without.map(({ operation }) => operation.operationId)).toEqual(['listenToEvents'])
})

// A job's sides alone see it, and its reader is no side of any: lib/cli/demo/jobs.ts calls these operations.
const needsJob = (path: string, id: string) => /^\/(payments\/)?jobs\b/.test(path) && id !== 'listJobs'

it.each(
  operations
    .filter(({ operation, path }) => !needsJob(path, operation.operationId))
    .map(({ operation, method, path }) => [`${method} ${path}`, operation.operationId]),
)('answers 2xx when the example market is there: %s', (_, id) => {
  expect(answers.get(id)).toMatch(new RegExp(`^${id} 2\\d\\d `))
})

it.each([
  ['guide-server', /session until .*\n\d+ hires/],
  ['guide-webhooks', /hire\.created/],
  ['guide-pages', /Yield Scout[\s\S]*Yield Scout[\s\S]*"hasMore"/],
  ['guide-x402', /200 \{"forecast":"sunny"\}/],
  ['guide-mcp', /'search_agents'[\s\S]*Yield Scout/],
])('does what it says when its files are saved and its commands run: %s', async (id, expected) => {
  const ports = {
    8787: platform.env.PORT,
    8899: platform.env.SOLANA_RPC_PORT,
    3000: String(await freePort()),
    3001: String(await freePort()),
  }
  expect(await runGuide(id, folder, ports)).toMatch(expected)
})
