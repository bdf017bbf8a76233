import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLOSED_PORT } from '../../support/process.ts'

const MACHINE = join(import.meta.dirname, '../../../lib/cli/machine.mjs')
const server = createServer((_request, response) => response.end('here'))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** Runs a program after lib/cli/machine.mjs. @returns what it prints, and its exit code */
const run = (program: string, { env = {}, before = [] }: { env?: object; before?: string[] } = {}) =>
  promisify(execFile)(
    process.execPath,
    [...before, '--import', MACHINE, '--input-type=module', '--eval', program],
    { env: { PATH: process.env.PATH, ...env } },
  ).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }) => ({ code, text: String(stderr) }),
  )

const proxy = `http://127.0.0.1:${CLOSED_PORT}`

it.each([
  ['HTTP_PROXY', { HTTP_PROXY: proxy }],
  ['http_proxy and no_proxy', { http_proxy: proxy, no_proxy: 'example.com', NO_PROXY: 'example.org' }],
  ['HTTP_PROXY and an empty NO_PROXY', { HTTP_PROXY: proxy, NO_PROXY: '' }],
  ['no proxy', {}],
])('a script reaches this machine with %s', async (_what, env) => {
  const { port } = server.address() as AddressInfo
  const program = ['127.0.0.1', 'localhost'].map(
    (host) => `console.log(await (await fetch('http://${host}:${port}/')).text())`,
  )
  const { text } = await run(program.join(';'), { env: { ...env, NODE_USE_ENV_PROXY: '1' } })
  expect(text).toBe('here\nhere\n')
})

it('keeps the hosts that NO_PROXY names', async () => {
  const { text } = await run('console.log(process.env.NO_PROXY)', {
    env: { HTTP_PROXY: proxy, NO_PROXY: 'a.example, *.b.example' },
  })
  expect(text).toBe('a.example,*.b.example,localhost,127.0.0.1\n')
  const all = await run('console.log(process.env.NO_PROXY)', { env: { HTTP_PROXY: proxy, NO_PROXY: '*' } })
  expect(all.text).toBe('*\n')
})

it('says in one sentence that Node is missing where the install scripts have not run', async () => {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})`
  const { code, text } = await run('console.log("started")', { before: ['--import', older] })
  expect([code, text]).toEqual([
    1,
    'Node 24 is missing (this is 20.20.2): the package "node" brings it by an install script, so run npm ci without --ignore-scripts.\n',
  ])
})
