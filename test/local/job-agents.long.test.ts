import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { base58 } from '@scure/base'
import { expect, it, onTestFinished } from 'vitest'
import { signChoices } from '../../lib/cli/demo/signed-choices.ts'
import { openLocalChain } from '../../lib/cli/solana/local-chain.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { freePort } from '../../lib/local/loopback.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { baseUrlOf, clientOf, usePlatform } from '../support/platform.ts'

const ROOT = join(import.meta.dirname, '../..')
const platform = usePlatform()

/** The programs of lib/work/agent.md by name, in a folder with the packages that they need. */
function programs() {
  const folder = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // The package of the client is not built here: its source runs in Node as it is.
  const client = `'${join(ROOT, 'lib/client/index.ts')}'`
  const text = readFileSync(join(ROOT, 'lib/work/agent.md'), 'utf8').replaceAll("'@agentcred/client'", client)
  const [agent = '', polling = ''] = [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(
    ([, code = '']) => code,
  )
  const [begin = ''] = agent.split(/^for \(const status/m)
  writeFileSync(join(folder, 'agent.mjs'), agent)
  writeFileSync(join(folder, 'polling.mjs'), `${begin}${polling.replace('60_000', '200')}`)
  return folder
}

it.each(['agent.mjs', 'polling.mjs'])('%s accepts a job, and delivers once it is funded', async (file) => {
  const { env } = platform
  const baseUrl = baseUrlOf(env)
  const chain = openLocalChain(`http://127.0.0.1:${env.SOLANA_RPC_PORT}`)
  const [owner, hirer] = [createWallet(), createWallet()]
  const [asOwner, asHirer] = [clientOf(env, owner), clientOf(env, hirer)]
  const { mint } = await asOwner.call('GET /payments/deployment')
  await chain.fund(owner.publicKey, mint, 0n)
  await chain.fund(hirer.publicKey, mint, 10_000_000_000n)
  await asOwner.openCollector()
  const port = await freePort()
  const { id: agentId } = await asOwner.call('POST /agents/register', {
    body: { name: 'Loud', agentType: 'autonomous', supportedLayers: [15] },
  })
  const body = { minPrice: 1_000_000_000n, workMinutes: 60, judges: ['none'] }
  await asOwner.call('PUT /agents/{id}/job-terms', { path: { id: agentId }, body })

  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const key = base58.encode(Buffer.from(String(jwk.x), 'base64url'))
  const paths = { challenge: 'grants/challenge', submit: 'grants' }
  const choices = { kind: 'key', name: 'Loud', permissions: ['jobs:use'], days: 7, key }
  const { clientId } = await signChoices(new URL(baseUrl).origin, owner, paths, choices)

  // One job was ordered while the program was off.
  const order = { agentId, price: 1_000_000_000n, judge: 'none', title: 'Louder', brief: 'hello' }
  const early = await asHirer.postJob({ ...order, reference: `early ${file}` })
  const program = spawn(process.execPath, [file], {
    cwd: programs(),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ ...process.env, BASE_URL: baseUrl, AGENT_ID: agentId, WALLET: owner.publicKey },
      ...{ CLIENT_ID: String(clientId), PRIVATE_JWK: JSON.stringify(jwk), PORT: String(port) },
    },
  })
  onTestFinished(() => void program.kill())
  const ended = once(program, 'exit').then(([code]) => expect.fail(`${file} ended with ${code}`))
  const orders = async () => {
    if (file === 'agent.mjs') {
      const webhookUrl = `http://127.0.0.1:${port}/`
      while (program.exitCode === null && !(await fetch(webhookUrl).catch(() => false))) await setTimeout(100)
      await asOwner.call('PATCH /agents/{id}', { path: { id: agentId }, body: { webhookUrl } })
    }
    const late = await asHirer.postJob({ ...order, reference: `late ${file}` })
    for (const { id } of [early, late]) {
      const job = await asHirer.waitForJob(id, { until: ({ status }) => status !== 'open' })
      await asHirer.fundJob({ job })
      await asHirer.waitForJob(id, { until: ({ status }) => status === 'delivered' })
      const { delivery } = await asHirer.call('GET /jobs/{id}/texts', { path: { id } })
      expect(delivery?.text).toBe('Louder: HELLO')
    }
  }
  await Promise.race([orders(), ended])
  ended.catch(() => {})
})
