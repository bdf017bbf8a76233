import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { SCRIPTS } from '../../lib/cli/scripts.ts'
import { openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { createClock } from '../../lib/local/clock.ts'
import { inProcess, type Values } from '../support/cloud/in-process.ts'
import { wholeService } from '../support/cloud/releases.ts'
import { temporaryFolder } from '../support/key-files.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Two of the Workers with keys of Solana, and those that every deployment has, without bindings. */
const SOURCE = wholeService('1.0.0', [], (env) => {
  for (const [group, worker] of Object.entries(env))
    if (['root', 'mcp', 'payments', 'x402'].includes(group))
      Object.assign(worker, { services: [], queues: {} })
    else delete env[group]
})
const { cloud, run } = inProcess(SOURCE)

it('deploys on a test cluster by the lines of the page', async () => {
  const page = readFileSync(join(ROOT, 'functions/operate.md'), 'utf8')
  const [, block = ''] = /^### Test cluster\n.*?```sh\n(.*?)```/ms.exec(page) ?? []
  const chain = await openChain({ clock: createClock() })
  const server = await serveChain(chain, 0)
  onTestFinished(async () => {
    await server.close()
    await chain.close()
  })
  // Another cluster has another name.
  const lines = block.replace('https://api.devnet.solana.com', server.url).replace(/ devnet$/m, ' localnet')
  const [, setup = ''] = /^npm run setup -- (.*)$/m.exec(lines) ?? []
  const { values } = parseArgs({ args: setup.split(' '), options: SCRIPTS.setup.options })
  const loaded = await environmentAfter(lines.replace(/^npm run setup.*$/m, ''))

  const first = await run(values as Values, loaded)
  expect(first.stopped).toBeUndefined()
  const { secrets } = cloud().cloudflare.scripts.get('agentcred-payments') ?? {}
  expect(secrets?.PAYMENTS_AUTHORITY_KEYS).toBe(loaded.PAYMENTS_AUTHORITY_KEYS)
  const x402 = cloud().cloudflare.scripts.get('agentcred-x402')?.secrets
  expect(x402).toMatchObject({
    X402_FEE_PAYER_KEY: loaded.X402_FEE_PAYER_KEY,
    X402_KEY_SECRET: loaded.X402_KEY_SECRET,
  })
  // It needs no environment any more, and another one replaces no key.
  expect((await run({ plan: true })).stopped).toBeUndefined()
  const { X402_KEY_SECRET = '' } = loaded
  const other = {
    ...loaded,
    X402_KEY_SECRET: X402_KEY_SECRET.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
  }
  expect((await run({ plan: true }, other)).stopped).toBe(
    'X402_KEY_SECRET of the environment lacks a key of secrets.json: unset it, so that secrets.json is used.',
  )
})

it('names the missing half of a pair of keys and addresses before it makes anything', async () => {
  const env = { SOLANA_RPC_URL: 'http://127.0.0.1:2', VAULT_MINT: 'x', PAYMENTS_AUTHORITY_ADDRESSES: '1:x' }
  expect((await run({ solana: 'devnet' }, env)).stopped).toBe(
    'Set PAYMENTS_AUTHORITY_KEYS in the environment, since PAYMENTS_AUTHORITY_ADDRESSES is set, or unset that.',
  )
  expect(cloud().calls).toEqual([])
})

/** Runs lines in a folder with the project's scripts. @returns the environment that they leave */
async function environmentAfter(lines: string): Promise<Record<string, string>> {
  const folder = temporaryFolder()
  for (const name of ['package.json', 'node_modules', 'lib', 'schema'])
    symlinkSync(join(ROOT, name), join(folder, name))
  const print = `node -p 'JSON.stringify(process.env)'`
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', `${lines}\n${print}`], {
    cwd: folder,
    env: { PATH },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}
