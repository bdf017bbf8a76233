import { describe, expect, it, vi } from 'vitest'
import { AgentCredError, type AuthSession, createClient, type Wallet } from '../../../lib/client/index.ts'
import {
  challengeAt,
  createFakeService,
  loginReplies,
  problem,
  type Reply,
} from '../../support/fake-service.ts'

const WALLET = 'wallet'
const signer = (): Wallet & { signMessage: ReturnType<typeof vi.fn> } => ({
  publicKey: WALLET,
  signMessage: vi.fn(async () => new Uint8Array(64).fill(1)),
})

/** A client with a wallet over a fake service. */
function start(replies: Record<string, Reply | Reply[]>, lifetimeMs?: number) {
  const all: Record<string, Reply | Reply[]> = {}
  const service = createFakeService(all)
  Object.assign(all, loginReplies(service.clock, lifetimeMs), replies)
  const wallet = signer()
  const onSession = vi.fn()
  return { service, wallet, onSession, client: createClient({ ...service.options, wallet, onSession }) }
}

const page = (ids: string[], rest = {}) => ({ hires: ids.map((id) => ({ id })), count: ids.length, ...rest })
const LOGIN = [`GET /auth/handshake?publicKey=${WALLET}`, 'POST /auth/handshake']

describe('a call', () => {
  it('fills the path, writes the query, and leaves out what is undefined', async () => {
    const { service, client } = start({ 'GET /agents/a%2Fb': { id: 'a/b' }, 'GET /agents': { agents: [] } })
    expect(await client.call('GET /agents/{id}', { path: { id: 'a/b' } })).toEqual({ id: 'a/b' })
    await client.call('GET /agents', { query: { q: 'a b&c', layer: 17, cursor: undefined } })
    expect(service.operations()).toEqual(['GET /agents/a%2Fb', 'GET /agents?q=a+b%26c&layer=17'])
    expect(service.sent.every(({ token }) => token === undefined)).toBe(true)
  })

  it('rejects with the code, status, fields and request id of a refusal', async () => {
    const refusal = Response.json(
      {
        code: 'invalid_request',
        detail: 'No.',
        errors: [{ path: 'layer', message: 'is no number' }],
        limit: 3,
      },
      { status: 400, headers: { 'x-request-id': 'r-7' } },
    )
    const { client } = start({ 'GET /agents': refusal })
    const error = await client.call('GET /agents').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(AgentCredError)
    expect(error).toMatchObject({
      code: 'invalid_request',
      message: 'No.',
      status: 400,
      requestId: 'r-7',
      errors: [{ path: 'layer', message: 'is no number' }],
      problem: { code: 'invalid_request', limit: 3 },
    })
  })

  it.each([
    ['a page of HTML', new Response('<html>', { status: 404 })],
    ['a body cut off', new Response('{"agents":[', { status: 200 })],
    ['JSON of somebody else', Response.json({ error: 'no' }, { status: 500 })],
  ])('says of %s that it is not the service’s', async (_what, response) => {
    const { client } = start({ 'GET /agents': response })
    await expect(client.call('GET /agents')).rejects.toMatchObject({ code: 'unexpected_answer' })
  })

  it('is repeated after an outage three times, and then rejects with the cause', async () => {
    const down = new TypeError('network')
    const { service, client } = start({
      'GET /agents': () => {
        throw down
      },
    })
    await expect(client.call('GET /agents')).rejects.toMatchObject({ code: 'unreachable', cause: down })
    expect(service.slept).toEqual([125, 250, 500])
    expect(service.sent).toHaveLength(4)
  })

  it('waits as long as the service asks', async () => {
    const limited = problem(429, 'rate_limited', { 'retry-after': '7' })
    const { service, client } = start({ 'POST /agents/hire': [limited, { id: 'h' }] })
    expect(await client.hire({ agentId: 'a' })).toEqual({ id: 'h' })
    expect(service.slept).toEqual([7_000])
  })

  it('ends at once when its signal is aborted, with the signal’s reason', async () => {
    const controller = new AbortController()
    const { service, client } = start({
      'GET /agents': ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          controller.abort(new Error('enough'))
        }),
    })
    await expect(client.call('GET /agents', { signal: controller.signal })).rejects.toThrow('enough')
    await expect(client.call('GET /agents', { signal: controller.signal })).rejects.toThrow('enough')
    expect(service.sent).toHaveLength(1)
  })
})

describe('a session', () => {
  it('is made by the first call that needs one, and reused', async () => {
    const { service, client, wallet, onSession } = start({ 'GET /agents/hire': page([]) })
    await client.call('GET /agents/hire')
    await client.call('GET /agents/hire')
    expect(service.operations()).toEqual([...LOGIN, 'GET /agents/hire', 'GET /agents/hire'])
    expect(service.sent.at(-1)?.token).toBe('token-1')
    const { challenge } = challengeAt(service.clock.now, WALLET)
    expect(new TextDecoder().decode(wallet.signMessage.mock.calls[0]?.[0])).toBe(challenge)
    expect(onSession.mock.calls).toMatchObject([[{ sessionToken: 'token-1' }]])
  })

  it('is one for all calls that wait for it', async () => {
    const { service, client, wallet } = start({ 'GET /agents/hire': page([]), 'GET /events': { events: [] } })
    await Promise.all([
      ...Array.from({ length: 20 }, () => client.call('GET /agents/hire')),
      ...Array.from({ length: 20 }, () => client.call('GET /events')),
      client.login(),
    ])
    expect(wallet.signMessage).toHaveBeenCalledTimes(1)
    expect(service.operations().filter((name) => LOGIN.includes(name))).toEqual(LOGIN)
  })

  it('is renewed before it ends by the service’s clock, for any clock of this machine', async () => {
    const { service, client, wallet } = start({ 'GET /agents/hire': page([]) }, 3_600_000)
    await client.call('GET /agents/hire')
    service.clock.now += 54 * 60_000
    await client.call('GET /agents/hire')
    expect(wallet.signMessage).toHaveBeenCalledTimes(1)
    service.clock.now += 60_000
    await client.call('GET /agents/hire')
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)

    // The service is ten years ahead.
    const ahead = { now: service.clock.now + 3.2e11 }
    const other = start({ ...loginReplies(ahead, 3_600_000), 'GET /agents/hire': page([]) })
    await other.client.call('GET /agents/hire')
    other.service.clock.now += 56 * 60_000
    await other.client.call('GET /agents/hire')
    expect(other.wallet.signMessage).toHaveBeenCalledTimes(2)
  })

  it.each(['token_invalid', 'session_revoked'])('that is %s is renewed once, by all calls', async (code) => {
    const { service, client, wallet } = start({
      'GET /agents/hire': ({ token }) => (token === 'token-1' ? problem(401, code) : page([])),
    })
    await client.login()
    await Promise.all(Array.from({ length: 10 }, () => client.call('GET /agents/hire')))
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)
    expect(service.sent.filter(({ token }) => token === 'token-2')).toHaveLength(10)
  })

  it('returns the error to the caller when it is refused again', async () => {
    const { client, wallet } = start({ 'GET /agents/hire': problem(401, 'token_invalid') })
    await expect(client.call('GET /agents/hire')).rejects.toMatchObject({
      code: 'token_invalid',
      status: 401,
    })
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)
  })

  it('may come from a login before', async () => {
    const { service } = start({ 'GET /agents/hire': page([]) })
    const expiresAt = service.clock.now + 86_400_000
    const session = { sessionToken: 'kept', publicKey: WALLET, expiresAt } as AuthSession
    await createClient({ ...service.options, wallet: signer(), session }).call('GET /agents/hire')
    await createClient({ ...service.options, session }).call('GET /agents/hire')
    expect(service.sent.map(({ token }) => token)).toEqual(['kept', 'kept'])
    const other = { ...session, publicKey: 'another wallet' }
    await createClient({ ...service.options, wallet: signer(), session: other }).call('GET /agents/hire')
    expect(service.sent.at(-1)?.token).toBe('token-1')
  })

  it('ends with a logout, also one that a login under way would bring', async () => {
    const { client, wallet, onSession } = start({ 'GET /agents/hire': page([]) })
    const login = client.login()
    client.logout()
    await login
    expect(onSession.mock.calls).toEqual([[undefined]])
    await client.call('GET /agents/hire')
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)
  })

  it('is not given up for the others when one caller does not wait any longer', async () => {
    const { client } = start({ 'GET /agents/hire': page([]) })
    const controller = new AbortController()
    const given = client.call('GET /agents/hire', { signal: controller.signal })
    const other = client.call('GET /agents/hire')
    controller.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    expect(await other).toEqual(page([]))
  })

  it('is asked for again once no call waits for a wallet that has not answered', async () => {
    const { client, wallet, onSession } = start({ 'GET /agents/hire': page([]) })
    let answer: (signature: Uint8Array) => void = () => {}
    wallet.signMessage.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const controllers = [new AbortController(), new AbortController()]
    const given = controllers.map(({ signal }) => client.call('GET /agents/hire', { signal }))
    await vi.waitFor(() => expect(wallet.signMessage).toHaveBeenCalledTimes(1))
    for (const controller of controllers) controller.abort(new Error('enough'))
    for (const call of given) await expect(call).rejects.toThrow('enough')
    await client.call('GET /agents/hire')
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)
    // A late answer of the first window is ignored.
    answer(new Uint8Array(64))
    await new Promise((resolve) => setTimeout(resolve))
    expect(onSession).toHaveBeenCalledTimes(1)
  })

  it('is tried again by the next call when a login has failed', async () => {
    const { client, wallet } = start({ 'GET /agents/hire': page([]) })
    wallet.signMessage.mockRejectedValueOnce(new Error('User rejected the request.'))
    await expect(client.call('GET /agents/hire')).rejects.toMatchObject({
      code: 'wallet_refused',
      message: 'The wallet did not sign the message: User rejected the request.',
    })
    expect(await client.call('GET /agents/hire')).toEqual(page([]))
  })

  it('needs a wallet, one that can sign', async () => {
    const { service } = start({})
    const without = createClient(service.options)
    await expect(without.call('GET /agents/hire')).rejects.toMatchObject({ code: 'wallet_missing' })
    const silent = createClient({ ...service.options, wallet: { publicKey: WALLET } })
    await expect(silent.login()).rejects.toMatchObject({ code: 'wallet_incapable' })
  })

  it('is made by Sign-In-With-Solana where the wallet offers it', async () => {
    const { service: fake } = start({})
    const { signInInput } = challengeAt(fake.clock.now, WALLET)
    const signIn = vi.fn(async () => new Uint8Array(64))
    const wallet = { ...signer(), signIn }
    await createClient({ ...fake.options, wallet, agentId: 'a-1' }).login()
    expect(signIn).toHaveBeenCalledWith(signInInput)
    expect(wallet.signMessage).not.toHaveBeenCalled()
    expect(fake.sent.at(-1)?.body).toEqual({
      nonce: 'n',
      signature: '1'.repeat(64),
      publicKey: WALLET,
      agentId: 'a-1',
    })
  })
})

describe('a list', () => {
  it('yields every entry of every page, and asks for a page only when it is needed', async () => {
    const { service, client } = start({
      'GET /agents/hire': [
        page(['a', 'b'], { nextCursor: 'c1' }),
        page([], { nextCursor: 'c2' }),
        page(['c']),
      ],
    })
    const ids: string[] = []
    for await (const hire of client.list('GET /agents/hire', { query: { limit: 2 } })) {
      ids.push(hire.id)
      if (ids.length === 2) expect(service.sent).toHaveLength(3)
    }
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(service.operations().slice(2)).toEqual([
      'GET /agents/hire?limit=2',
      'GET /agents/hire?limit=2&cursor=c1',
      'GET /agents/hire?limit=2&cursor=c2',
    ])
  })
})

describe('events', () => {
  const events = (ids: number[], hasMore: boolean) => ({
    events: ids.map((id) => ({ id: `${id}` })),
    hasMore,
  })

  it('are all yielded in order, after the last one known', async () => {
    const { service, client } = start({ 'GET /events': [events([1, 2], true), events([3], false)] })
    const ids: string[] = []
    for await (const { id } of client.events({ after: '0' })) ids.push(id)
    expect(ids).toEqual(['1', '2', '3'])
    expect(service.operations().slice(2)).toEqual([
      'GET /events?after=0&limit=100',
      'GET /events?after=2&limit=100',
    ])
  })

  it('are read from the beginning, on request, when the last known one was deleted', async () => {
    const refusal = (await problem(409, 'cursor_lost').json()) as object
    const lost = Response.json({ ...refusal, oldest: '3' }, { status: 409 })
    const { service, client } = start({ 'GET /events': [lost, lost, events([3, 4], false)] })
    const read = async (onLost?: (oldest: string | undefined) => void) => {
      const ids: string[] = []
      for await (const { id } of client.events({ after: '0', onLost })) ids.push(id)
      return ids
    }
    await expect(read()).rejects.toMatchObject({ code: 'cursor_lost', problem: { oldest: '3' } })
    const reports: unknown[] = []
    expect(await read((oldest) => reports.push(oldest))).toEqual(['3', '4'])
    expect(reports).toEqual(['3'])
    expect(service.operations().at(-1)).toBe('GET /events?limit=100')
  })

  it('to come are waited for, until the signal is aborted', async () => {
    const { service, client } = start({
      'GET /events': [events([1], false), events([], false), events([2], false), events([], false)],
    })
    const controller = new AbortController()
    const ids: string[] = []
    const follow = async () => {
      for await (const { id } of client.events({ everyMs: 4_000, signal: controller.signal })) {
        ids.push(id)
        if (ids.length === 2) controller.abort(new Error('enough'))
      }
    }
    await expect(follow()).rejects.toThrow('enough')
    expect(ids).toEqual(['1', '2'])
    expect(service.slept).toEqual([4_000, 4_000])
  })
})
