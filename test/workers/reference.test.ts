import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { AgentCredError, createClient } from '../../lib/client/index.ts'
import { curlOf } from '../../lib/tools/description/reference/curl.ts'
import { isBesideClient, typescriptOf } from '../../lib/tools/description/reference/typescript.ts'
import { guideOf } from '../support/guides.ts'
import { ISSUER } from '../support/oauth.ts'
import { callable, requestsOf, variables } from '../support/samples.ts'
import { type Service, startService } from '../support/service.ts'
import { rpc, travel } from '../support/staker.ts'

/** Last what ends the session of the others. */
const operations = callable.toSorted(
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
    origin: ISSUER,
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
    const guide = guideOf(id)
    const { wallet, options } = await member()
    // The service's clock is not the machine's.
    const createClientHere = (given: object) => createClient({ ...options, ...given })
    const body = guide.steps.map(({ code }) => `${code}\nyield`).join('\n')
    const run = new Function('createClient', 'API', 'wallet', `return (async function* () { ${body} })()`)
    const steps: AsyncGenerator = run(createClientHere, options.baseUrl, wallet)
    return {
      steps: guide.steps.length,
      async go(count: number) {
        for (let i = 0; i < count; i += 1) expect((await steps.next()).done, `step ${i}`).toBe(false)
      },
    }
  }

  it('lead from two wallets to a paid and rated hire, in ten calls of the hirer', async () => {
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

describe('the curl command of each operation', () => {
  let lines: ReturnType<typeof requestsOf>
  beforeAll(async () => {
    const { sessionToken } = await (await member()).client.login()
    const env = { ...variables, API: `${service.origin}/v1`, TOKEN: sessionToken }
    lines = requestsOf(operations.map(curlOf), env)
  })

  it.each(operations.map((one, i) => [titleOf(one), i] as const))('is taken: %s', async (name, i) => {
    const { method = '', url = '', headers = {}, data } = lines[i] ?? {}
    expect(`${method} `).toBe(name.slice(0, method.length + 1))
    const path = url.replace(`${service.origin}/v1`, '').replace(service.origin, '')
    // It holds the answer against the description.
    const answer = await service.call(method, path === '' ? '/' : path, {
      headers,
      ...(data === undefined ? {} : { raw: data }),
    })
    expect(String(answer.body.code), answer.text).not.toMatch(FAULTS)
  })
})

describe('the client’s call of each operation', () => {
  beforeAll(() => {
    Object.assign(process.env, { ...variables, PATH: process.env.PATH })
  })

  const called = operations.flatMap((one) =>
    isBesideClient(one) ? [] : [[titleOf(one), typescriptOf(one)] as const],
  )

  it('is there for all but pages, well-known paths, MCP, forms, consents', () => {
    expect(operations.length - called.length).toBe(14)
  })

  /** Makes calls of ten operations by one wallet, which stays within its limit of a minute. */
  let shared: Promise<Awaited<ReturnType<typeof member>>>
  const memberOf = (index: number) => {
    if (index % 10 === 0) shared = member()
    return shared
  }

  it.each(called.map(([name, code], index) => [name, code, index] as const))(
    'is taken: %s',
    async (_, code, index) => {
      const { client } = await memberOf(index)
      const run = new Function('client', `return (${stripTypeScriptTypes(`async () => { ${code} }`)})()`)
      const error: unknown = await run(client).then(
        () => undefined,
        (cause: unknown) => cause,
      )
      if (error === undefined) return
      expect(error).toBeInstanceOf(AgentCredError)
      expect((error as AgentCredError).code, String(error)).not.toMatch(FAULTS)
    },
  )
})
