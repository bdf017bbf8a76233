import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { baseUrlOf, platformVariables } from '../support/platform.ts'
import { portsOf } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

const CONTROL_C = '\u0003'

/** Runs a command on a terminal of its own, by util-linux' script. */
function onTerminal(command: string, env: Record<string, string>) {
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '', FORCE_COLOR: '', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.stdin.write(CONTROL_C)
    await ended
  })
  return { raw: () => printed, output: () => stripVTControlCharacters(printed).replaceAll('\r', '') }
}

it('prints the addresses last, and a line a request, when the market is filled', async () => {
  const { raw, output } = onTerminal('npm run --silent dev -- --example', platformVariables())
  await expect.poll(output).toMatch(/the market is filled\n(.*\n)*AgentCred is ready(.*\n)*Try.*\n(.*\n){3}/)
  expect(output().match(/AgentCred is ready/g)).toHaveLength(1)
  expect(output().split('\n').length).toBeLessThanOrEqual(60)
  expect(output()).not.toContain('{')
  expect(output()).not.toMatch(/^error/m)
  const url = baseUrlOf(portsOf({ output }))
  await fetch(`${url}/agents`)
  await expect.poll(output).toMatch(/\nGET \/v1\/agents 200 \d+ ms\n/)
  await fetch(`${url}/agents/00000000-0000-4000-8000-000000000000`)
  await expect.poll(output).toMatch(/\nGET \/v1\/agents\/:id 404 \d+ ms agent_not_found\n/)
  expect(raw()).toContain('\u001b[32m200\u001b[39m')
})
