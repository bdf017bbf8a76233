import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { AgentCredError, createClient } from '../../lib/client/index.ts'
import { curlOf } from '../../lib/tools/description/reference/curl.ts'
import { type Description, operationsOf } from '../../lib/tools/description/reference/description.ts'
import { GUIDES } from '../../lib/tools/description/reference/guides.ts'
import { isBesideClient, typescriptOf } from '../../lib/tools/description/reference/typescript.ts'
import { type Service, startService } from '../support/service.ts'
import { rpc, travel } from '../support/staker.ts'

const document: Description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
)
/** All but WebSockets; last what ends the session of the others. */
const operations = operationsOf(document)
  .filter((one) => curlOf(one) !== undefined)
  .toSorted(
    (a, b) =>
      Number(a.operation.operationId === 'revokeSessions') -
      Number(b.operation.operationId === 'revokeSessions'),
  )
const titleOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** A wallet that has SOL and CRED, as a client of the service that waits by moving its clock. */
async function member() {
  const key = createWallet()
  const { body } = await service.call('GET', '/vault/terms')
  await rpc(service, 'requestAirdrop', [key.publicKey, 10_000_000_000])
  await rpc(service, 'surfnet_setTokenAccount', [key.publicKey, body.mint, { amount: 500_000_000_000 }])
  const wallet = signerOf(key)
  const options = {
    baseUrl: `${service.origin}/v1`,
    wallet,
    now: () => service.clock.now(),
    sleep: async (ms: number) => {
      await travel(service, ms)
    },
  }
  return { wallet, options, client: createClient(options) }
}

// First, while no other agent is there.
describe('the guides', () => {
  /** Runs a guide step by step: each `next` one step. */
  async function begin(id: string) {
    const guide = GUIDES.find((one) => one.id === id)
    const { wallet, options } = await member()
    // The service's clock is not the machine's.
    const createClientHere = (given: object) => createClient({ ...options, ...given })
    const body = (guide?.steps ?? []).map(({ code }) => `${code}\nyield`).join('\n')
    const run = new Function('createClient', 'API', 'wallet', `return (async function* () { ${body} })()`)
    const steps: AsyncGenerator = run(createClientHere, options.baseUrl, wallet)
    return {
      steps: guide?.steps.length ?? 0,
      async go(count: number) {
        for (let i = 0; i < count; i += 1) expect((await steps.next()).done, `step ${i}`).toBe(false)
      },
    }
  }

  it('lead from two wallets to a hire that was paid and rated, in ten calls of the hirer’s', async () => {
    const [hirer, owner] = [await begin('guide-hirer'), await begin('guide-owner')]
    expect(hirer.steps).toBe(10)
    await owner.go(3)
    await hirer.go(6)
    await owner.go(owner.steps - 3)
    await hirer.go(4)
    const { body } = await service.call('GET', '/agents?q=yield&layer=17')
    expect(body.agents).toMatchObject([{ name: 'Yield Scout', ratings: 1, rating: 5 }])
  })
})

/** Refusals that are the line's own fault. Others come since nothing is there that the example names. */
const FAULTS = /^(invalid_request|malformed_json|not_found|token_missing|unsupported_media_type|unreachable)$/

describe('the line of curl of each operation', () => {
  /** The arguments of each, as a shell takes them apart. */
  let lines: string[][]
  let token: string
  beforeAll(async () => {
    const { sessionToken } = await (await member()).client.login()
    token = sessionToken
    const script = ["curl() { printf '%s\\0' \"$@\"; printf '\\1'; }", ...operations.map(curlOf)].join('\n')
    const env = { API: `${service.origin}/v1`, TOKEN: token }
    const parted = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' })
    lines = parted.split('\x01').map((line) => line.split('\0').slice(0, -1))
  })

  it.each(operations.map((one, i) => [titleOf(one), i] as const))('is taken: %s', async (name, i) => {
    const [url = '', ...rest] = lines[i] ?? []
    const valuesOf = (flag: string) => rest.filter((_, at) => rest[at - 1] === flag)
    const [raw] = valuesOf('-d')
    const [method = raw === undefined ? 'GET' : 'POST'] = valuesOf('-X')
    expect(`${method} `).toBe(name.slice(0, method.length + 1))
    const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(/: (.*)/, 2)))
    const path = url.replace(`${service.origin}/v1`, '').replace(service.origin, '')
    // It holds the answer against the description.
    const answer = await service.call(method, path === '' ? '/' : path, {
      headers,
      ...(raw === undefined ? {} : { raw }),
    })
    expect(String(answer.body.code), answer.text).not.toMatch(FAULTS)
  })
})

describe('the client’s call of each operation', () => {
  const called = operations.flatMap((one) =>
    isBesideClient(one) ? [] : [[titleOf(one), typescriptOf(one)] as const],
  )

  it('is there for all but pages, well-known addresses and MCP', () => {
    expect(operations.length - called.length).toBe(4)
  })

  it.each(called)('is taken: %s', async (_, code) => {
    const { client } = await member()
    const run = new Function('client', `return (async () => { ${code} })()`)
    const error: unknown = await run(client).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (error === undefined) return
    expect(error).toBeInstanceOf(AgentCredError)
    expect((error as AgentCredError).code, String(error)).not.toMatch(FAULTS)
  })
})
