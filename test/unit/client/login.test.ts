import { describe, expect, it, vi } from 'vitest'
import { createClient, type LoginMethod, type Wallet } from '../../../lib/client/index.ts'
import {
  challengeAt,
  createFakeService,
  loginReplies,
  problem,
  type Reply,
} from '../../support/fake-service.ts'

const SIGNATURE = new Uint8Array(64).fill(1)
const ENVELOPE = new Uint8Array([0xff, 1, 2])
/** Errors as wallets throw them. */
const refusal = Object.assign(new Error('Transaction cancelled'), { code: 4001 })
const failure = () => new Error('Ledger: 0x6a81')

/** A client whose wallet offers these methods, each with its answers in order. */
function start(
  answers: Partial<Record<LoginMethod, (unknown | Error)[]>>,
  replies: Record<string, Reply | Reply[]> = {},
) {
  const all: Record<string, Reply | Reply[]> = { 'GET /agents/hire': { hires: [], count: 0 } }
  const service = createFakeService(all)
  Object.assign(all, loginReplies(service.clock), replies)
  const asked: [LoginMethod, unknown][] = []
  const wallet: Wallet = { publicKey: 'wallet' }
  for (const [name, queued = []] of Object.entries(answers) as [LoginMethod, unknown[]][])
    wallet[name] = async (input: unknown) => {
      asked.push([name, input])
      const answer = queued.length > 1 ? queued.shift() : queued[0]
      if (answer instanceof Error) throw answer
      return (answer ?? SIGNATURE) as Uint8Array
    }
  return {
    service,
    client: createClient({ ...service.options, wallet }),
    asked,
    methods: () => asked.map(([name]) => name),
  }
}

const bodyOf = ({ sent }: ReturnType<typeof createFakeService>) => sent.at(-1)?.body

describe('a login', () => {
  it('uses sign-in, else an off-chain message, else the plain text', async () => {
    const all = start({ signMessage: [], signOffchainMessage: [], signIn: [] })
    const { challenge, signInInput } = challengeAt(all.service.clock.now, 'wallet')
    await all.client.login()
    expect(all.asked).toEqual([['signIn', signInInput]])
    const two = start({ signMessage: [], signOffchainMessage: [] })
    await two.client.login()
    expect(two.asked).toEqual([['signOffchainMessage', challenge]])
    const one = start({ signMessage: [] })
    await one.client.login()
    expect(one.asked).toEqual([['signMessage', new TextEncoder().encode(challenge)]])
  })

  it.each<LoginMethod>(['signIn', 'signOffchainMessage', 'signMessage'])(
    'sends the bytes of an off-chain message that %s returns',
    async (name) => {
      const { client, service } = start({ [name]: [{ signature: SIGNATURE, signedMessage: ENVELOPE }] })
      await client.login()
      expect(bodyOf(service)).toMatchObject({ nonce: 'n', publicKey: 'wallet', signedMessage: '/wEC' })
    },
  )

  it('tries the next method when one fails, with one challenge, and begins with it the next time', async () => {
    const { client, methods, service } = start({
      signIn: [failure()],
      signOffchainMessage: [failure()],
      signMessage: [],
    })
    await client.login()
    expect(methods()).toEqual(['signIn', 'signOffchainMessage', 'signMessage'])
    expect(service.operations()).toEqual(['GET /auth/handshake?publicKey=wallet', 'POST /auth/handshake'])
    await client.login()
    expect(methods().slice(3)).toEqual(['signMessage'])
  })

  it('begins with the method that worked for another client of the wallet', async () => {
    const { service } = start({})
    const wallet = {
      publicKey: 'wallet',
      signIn: vi.fn(() => Promise.reject(failure())),
      signMessage: vi.fn(() => SIGNATURE),
    }
    await createClient({ ...service.options, wallet }).login()
    await createClient({ ...service.options, wallet }).login()
    expect(wallet.signIn).toHaveBeenCalledTimes(1)
    expect(wallet.signMessage).toHaveBeenCalledTimes(2)
  })

  it('says what the last method said when all fail, and what else there is', async () => {
    const { client, methods } = start({ signIn: [failure()], signMessage: [new Error('No device')] })
    await expect(client.login()).rejects.toMatchObject({
      code: 'wallet_refused',
      message: 'The wallet did not sign the message: No device',
      loginMethods: ['signIn'],
    })
    expect(methods()).toEqual(['signIn', 'signMessage'])
  })

  it.each<[string, unknown]>([
    ['code 4001', refusal],
    ['code 4001 and other words', Object.assign(new Error('Oops'), { code: 4001 })],
    ['words', new Error('User rejected the request.')],
    ['words of another wallet', new Error('Approval Denied')],
  ])('opens no second window after a refusal by %s', async (_, error) => {
    const { client, methods } = start({ signIn: [error], signOffchainMessage: [], signMessage: [] })
    await expect(client.call('GET /agents/hire')).rejects.toMatchObject({
      code: 'wallet_refused',
      cause: error,
      loginMethods: ['signOffchainMessage', 'signMessage'],
    })
    expect(methods()).toEqual(['signIn'])
  })

  it('opens no second window when the wallet answers with something else than an error', async () => {
    const wallet: Wallet = {
      publicKey: 'wallet',
      signOffchainMessage: () => Promise.reject({ code: 4001, message: 'No' }),
      signMessage: vi.fn(() => SIGNATURE),
    }
    const { service } = start({})
    await expect(createClient({ ...service.options, wallet }).login()).rejects.toMatchObject({
      loginMethods: ['signMessage'],
    })
    expect(wallet.signMessage).not.toHaveBeenCalled()
  })

  it('opens no second window once nobody waits, or after a logout', async () => {
    for (const leave of ['abort', 'logout']) {
      let fail: (error: Error) => void = () => {}
      const signMessage = vi.fn(() => SIGNATURE)
      const signIn = vi.fn(() => new Promise<Uint8Array>((_, reject) => (fail = reject)))
      const { service } = start({})
      const client = createClient({
        ...service.options,
        wallet: { publicKey: 'wallet', signIn, signMessage },
      })
      const controller = new AbortController()
      const login = client.login({ signal: controller.signal }).catch((error: unknown) => error)
      await vi.waitFor(() => expect(signIn).toHaveBeenCalledTimes(1))
      if (leave === 'abort') controller.abort(new Error('enough'))
      else client.logout()
      fail(failure())
      expect(await login).toBeInstanceOf(Error)
      await new Promise((resolve) => setTimeout(resolve))
      expect(signMessage).not.toHaveBeenCalled()
    }
  })

  it('uses the method that it is told, alone', async () => {
    const { client, methods } = start({ signIn: [], signOffchainMessage: [failure()], signMessage: [] })
    await client.login({ method: 'signMessage' })
    await expect(client.login({ method: 'signOffchainMessage' })).rejects.toMatchObject({
      code: 'wallet_refused',
      loginMethods: ['signIn', 'signMessage'],
    })
    expect(methods()).toEqual(['signMessage', 'signOffchainMessage'])
  })

  it('is impossible by a method that the wallet lacks', async () => {
    const { client, asked } = start({ signMessage: [] })
    await expect(client.login({ method: 'signIn' })).rejects.toMatchObject({ code: 'wallet_incapable' })
    expect(asked).toEqual([])
  })

  it('names the other methods when the service refuses the signature, and opens no window', async () => {
    const refused = { 'POST /auth/handshake': problem(401, 'login_refused') }
    const { client, methods } = start({ signOffchainMessage: [], signMessage: [] }, refused)
    await expect(client.login()).rejects.toMatchObject({
      code: 'login_refused',
      status: 401,
      requestId: 'r-1',
      loginMethods: ['signMessage'],
    })
    expect(methods()).toEqual(['signOffchainMessage'])
  })

  it('names no methods when something else fails', async () => {
    const limited = { 'POST /auth/handshake': problem(403, 'login_domain_refused') }
    const { client } = start({ signOffchainMessage: [], signMessage: [] }, limited)
    const error = await client.login().catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'login_domain_refused', loginMethods: undefined })
  })
})
