import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prove } from '../../lib/cli/setup/proof.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { answerTo, type Body, type Service, startService } from '../support/service.ts'

let service: Service
/** Starts anew. A KV that hangs is waited for less long than one that answers may take on a busy machine. */
async function start(fault?: string, bindings: Record<string, string> = {}) {
  await service?.stop()
  const constants = fault === 'hangs' ? { auth: { KV_TIMEOUT_MS: 400 } } : {}
  service = await startService({ groups: ['root', 'auth'], constants, bindings })
}
afterAll(() => service.stop())

const from = (origin: string) => ({ headers: { origin } })
const page = from('https://app.example.com')
const challengeOf = async (query = '', options = {}) =>
  (await service.call('GET', `/auth/handshake${query}`, options)).body
const logIn = (challenge: Body, wallet = createWallet(), options = {}) =>
  service.call('POST', '/auth/handshake', { body: answerTo(challenge, wallet), ...options })

describe('where KV does not have the challenge (yet)', () => {
  beforeAll(() => start())
  it('logs in once, for the page that asked and within five minutes', async () => {
    const wallet = createWallet()
    const bound = `?publicKey=${wallet.publicKey}`
    const [plain, paged, stolen, signIn, foreign, late] = [
      await challengeOf('', page),
      await challengeOf('', page),
      await challengeOf('', page),
      await challengeOf(bound, page),
      await challengeOf(bound, page),
      await challengeOf('', page),
    ]
    expect(plain.nonce).toMatch(/^[0-9a-f]{76}$/)
    // KV is in memory: a location that has not seen the write yet.
    await service.redeploy({})
    expect((await logIn(plain, wallet, page)).status).toBe(200)
    expect((await logIn(plain, wallet, page)).status).toBe(401)
    expect((await logIn(paged, wallet, page)).status).toBe(200)
    expect((await logIn(stolen, wallet, from('https://evil.example.com'))).status).toBe(401)
    expect((await logIn(signIn, wallet, page)).status).toBe(200)
    expect((await logIn(foreign, createWallet(), page)).status).toBe(401)
    const forged = { ...late, nonce: `${'0'.repeat(44)}${String(late.nonce).slice(44)}` }
    expect((await logIn(forged, wallet, page)).status).toBe(401)
    await service.clock.travelTo(service.clock.now() + 300_000)
    expect((await logIn(late, wallet, page)).status).toBe(401)
  })
})

describe.each(['throws', 'hangs'])('while KV %s', (fault) => {
  beforeAll(() => start(fault))
  /** From that page, or without an Origin. */
  const meeting = (origin?: string) => ({
    headers: { 'x-local-kv-fault': fault, ...(origin && { origin }) },
  })
  const APP = 'https://app.example.com'

  it('a wallet gets a challenge of either kind and logs in with it, once', async () => {
    const wallet = createWallet()
    const asked = ['', `?publicKey=${wallet.publicKey}`].flatMap((query) => [
      { query, meet: meeting() },
      { query, meet: meeting(APP) },
    ])
    const statuses = asked.map(async ({ query, meet }) => {
      const challenge = await challengeOf(query, meet)
      const answers = [await logIn(challenge, wallet, meet), await logIn(challenge, wallet, meet)]
      return answers.map(({ status }) => status)
    })
    expect(await Promise.all(statuses)).toEqual(asked.map(() => [200, 401]))
  })

  it('answers a challenge stored before, and one not stored later', async () => {
    const before = await challengeOf('', page)
    expect((await logIn(before, createWallet(), meeting(APP))).status).toBe(200)
    const during = await challengeOf('', meeting(APP))
    expect((await logIn(during, createWallet(), page)).status).toBe(200)
  })

  it('returns 503 for another page’s answer until KV shows whether it is valid', async () => {
    const wallet = createWallet()
    const challenge = await challengeOf('', page)
    const elsewhere = await logIn(challenge, wallet, meeting('https://other.example.com'))
    expect(elsewhere).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } })
    expect(elsewhere.headers.get('retry-after')).toBe('2')
    // Once KV has answered in time.
    const again = async () => (await logIn(challenge, wallet, from('https://other.example.com'))).status
    await expect.poll(again).toBe(200)
  })

  it('refuses an invalid nonce, or another key’s signature, as always', async () => {
    const challenge = await challengeOf('', meeting(APP))
    const signature = answerTo(challenge, createWallet()).signature
    const body = { ...answerTo(challenge, createWallet()), signature }
    expect((await service.call('POST', '/auth/handshake', { body, ...meeting(APP) })).status).toBe(401)
    const made = await logIn({ ...challenge, nonce: 'guessed' }, createWallet(), meeting(APP))
    expect(made.status).toBe(401)
  })

  it('the log says so, and nothing of the challenge', async () => {
    const lines = () => service.logs.lines.filter(({ kv }) => kv === 'nonces')
    const challenge = await challengeOf('', meeting(APP))
    await logIn(challenge, createWallet(), meeting(APP))
    await expect.poll(() => lines().map(({ reason }) => reason)).toContain('not read')
    for (const line of lines()) {
      expect(['not stored', 'not read']).toContain(line.reason)
      expect(JSON.stringify(line)).not.toContain(String(challenge.nonce))
    }
  })
})

describe('with LOGIN_DOMAINS', () => {
  const evil = from('https://evil.example.com')
  const refusal = { status: 403, body: { code: 'login_domain_refused' } }
  const signInOf = (wallet: ReturnType<typeof createWallet>, options = {}) =>
    challengeOf(`?publicKey=${wallet.publicKey}`, options)
  beforeAll(() => start(undefined, { LOGIN_DOMAINS: 'other.example.com, App.example.com' }))

  it('only the pages on the list get a challenge or log in', async () => {
    expect(await service.call('GET', '/auth/handshake', evil)).toMatchObject(refusal)
    const wallet = createWallet()
    const challenge = await signInOf(wallet, page)
    expect(String(challenge.challenge)).toMatch(/^app\.example\.com wants you to sign in/)
    expect(await logIn(challenge, wallet, evil)).toMatchObject(refusal)
    expect((await logIn(challenge, wallet, page)).status).toBe(200)
  })

  it('an Origin that names no page is no way around the list', async () => {
    const wallet = createWallet()
    const challenge = await signInOf(wallet)
    for (const origin of ['null', `https://${'a'.repeat(256)}.example`, 'file://', 'https://', 'nonsense']) {
      expect(await service.call('GET', '/auth/handshake', from(origin)), origin).toMatchObject(refusal)
      expect(await logIn(challenge, wallet, from(origin)), origin).toMatchObject(refusal)
    }
  })

  it('logs in by a message that names the service, without an Origin or with its own', async () => {
    const own = new URL(service.origin)
    for (const options of [{}, from(own.origin)]) {
      const wallet = createWallet()
      const challenge = await signInOf(wallet, options)
      expect(String(challenge.challenge)).toContain(`${own.host} wants you to sign in`)
      expect((await logIn(challenge, wallet, options)).status).toBe(200)
    }
  })

  it('setup, upgrade and rotate prove the service by a login that it takes', async () => {
    await prove(service.origin, 10_000)
  })

  it('accepts no free text, whose domain no wallet checks, from any page', async () => {
    for (const options of [{}, page, { headers: { 'x-local-kv-fault': 'throws' } }]) {
      const wallet = createWallet()
      const challenge = await challengeOf('', options)
      expect(String(challenge.challenge)).toContain('AgentCred login')
      expect(await logIn(challenge, wallet, options)).toMatchObject(refusal)
    }
  })
})
