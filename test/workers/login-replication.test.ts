import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { answerTo, type Body, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth'] })
})
afterAll(() => service.stop())

const from = (origin: string) => ({ headers: { origin } })
const page = from('https://app.example.com')
const challengeOf = async (query = '', options = {}) =>
  (await service.call('GET', `/auth/handshake${query}`, options)).body
const logIn = (challenge: Body, wallet = createWallet(), options = {}) =>
  service.call('POST', '/auth/handshake', { body: answerTo(challenge, wallet), ...options })
/** KV is kept in memory: a location that has not seen the write yet. */
const loseKv = (changes = {}) => service.redeploy(changes)

describe('where KV does not have the challenge (yet)', () => {
  it('a login works all the same, once, for the page that asked and within five minutes', async () => {
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
    await loseKv()
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

it('with LOGIN_DOMAINS only the pages on the list get a challenge or log in', async () => {
  await loseKv({ LOGIN_DOMAINS: 'other.example.com, App.example.com' })
  const refused = await service.call('GET', '/auth/handshake', from('https://evil.example.com'))
  expect(refused).toMatchObject({ status: 403, body: { code: 'login_domain_refused' } })
  const challenge = await challengeOf('', page)
  expect(String(challenge.challenge)).toContain('Domain: app.example.com')
  const elsewhere = await logIn(challenge, createWallet(), from('https://evil.example.com'))
  expect(elsewhere).toMatchObject({ status: 403, body: { code: 'login_domain_refused' } })
  expect((await logIn(challenge, createWallet(), page)).status).toBe(200)
  // Without an Origin the service itself is named.
  expect((await service.call('GET', '/auth/handshake')).status).toBe(200)
})
