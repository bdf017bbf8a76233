import { base58 } from '@scure/base'
import {
  compileOffchainMessageEnvelope,
  getOffchainMessageEncoder,
  type OffchainMessage,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
  partiallySignOffchainMessageEnvelope,
} from '@solana/offchain-messages'
import { createSignInMessage } from '@solana/wallet-standard-util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { answerTo, type Body, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ stopped: true, groups: ['auth'] })
})
afterAll(() => service.stop())

const challengeFor = async (publicKey: string): Promise<Body> => {
  const headers = { origin: 'https://app.example.com' }
  return (await service.call('GET', `/auth/handshake?publicKey=${publicKey}`, { headers })).body
}
const post = (body: object) => service.call('POST', '/auth/handshake', { body })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const DOMAIN = offchainMessageApplicationDomain(base58.encode(new Uint8Array(32).fill(3)))

/** The off-chain message of a text, for these signers. */
function messageOf(text: string, version: 0 | 1, signers: string[]): OffchainMessage {
  const requiredSignatories = signers.map((address) => ({ address: address as never }))
  const content = offchainMessageContentUtf8Of1232BytesMax(text)
  return version === 0
    ? { version, applicationDomain: DOMAIN, content, requiredSignatories }
    : { version, content: text, requiredSignatories }
}
const bytesOf = (...message: Parameters<typeof messageOf>) =>
  Uint8Array.from(getOffchainMessageEncoder().encode(messageOf(...message)))

/** The answer to a challenge whose wallet signs these bytes. */
const signing = (challenge: Body, wallet: ReturnType<typeof createWallet>, message: Uint8Array) => ({
  nonce: challenge.nonce,
  publicKey: wallet.publicKey,
  signature: wallet.sign(message),
  signedMessage: base64(message),
})

describe('a login with the bytes that the wallet signed', () => {
  it.each([0, 1] as const)('accepts what @solana/offchain-messages signs in version %d', async (version) => {
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
    const publicKey = base58.encode(
      new Uint8Array((await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer),
    )
    const { nonce, challenge } = await challengeFor(publicKey)
    const envelope = compileOffchainMessageEnvelope(messageOf(String(challenge), version, [publicKey]))
    const { content, signatures } = await partiallySignOffchainMessageEnvelope([pair], envelope)
    const [signature] = Object.values(signatures)
    const body = { nonce, publicKey, signature: base58.encode(Uint8Array.from(signature ?? [])) }
    // Without the bytes, the service can't know the application domain of version 0.
    if (version === 0) expect((await post(body)).body.code).toBe('login_refused')
    const session = await post({ ...body, signedMessage: base64(Uint8Array.from(content)) })
    expect(session.body).toMatchObject({ status: 'AUTHENTICATED', publicKey })
    expect((await post({ ...body, signedMessage: base64(Uint8Array.from(content)) })).status).toBe(401)
  })

  it('accepts the plain text, and the Sign-In-With-Solana message that a wallet writes', async () => {
    const wallet = createWallet()
    const plain = await challengeFor(wallet.publicKey)
    const text = new TextEncoder().encode(String(plain.challenge))
    expect((await post(signing(plain, wallet, text))).status).toBe(200)
    const signIn = await challengeFor(wallet.publicKey)
    const message = createSignInMessage(signIn.signInInput as Parameters<typeof createSignInMessage>[0])
    expect((await post(signing(signIn, wallet, message))).status).toBe(200)
  })

  it('refuses every other message as it refuses a wrong signature, and spends no nonce', async () => {
    const wallet = createWallet()
    const other = createWallet()
    const challenge = await challengeFor(wallet.publicKey)
    const text = String(challenge.challenge)
    const good = bytesOf(text, 1, [wallet.publicKey])
    const answer = signing(challenge, wallet, good)
    const earlier = String((await challengeFor(wallet.publicKey)).challenge)
    const refused = [
      // Another text, whose signature is right.
      signing(challenge, wallet, new TextEncoder().encode(`${text} `)),
      signing(challenge, wallet, bytesOf(earlier, 1, [wallet.publicKey])),
      signing(challenge, wallet, bytesOf(text.toUpperCase(), 0, [wallet.publicKey])),
      signing(challenge, wallet, new Uint8Array()),
      // Another signer, and two signers.
      signing(challenge, wallet, bytesOf(text, 1, [other.publicKey])),
      signing(challenge, wallet, bytesOf(text, 1, [wallet.publicKey, other.publicKey])),
      signing(challenge, wallet, bytesOf(text, 0, [wallet.publicKey, other.publicKey])),
      // Cut and lengthened messages.
      signing(challenge, wallet, good.subarray(0, -1)),
      signing(challenge, wallet, good.subarray(0, 40)),
      signing(challenge, wallet, Uint8Array.from([...bytesOf(text, 0, [wallet.publicKey]), 10])),
      // The right message with the signature of another form, or by another key.
      { ...answer, signature: wallet.sign(text) },
      { ...answer, signature: other.sign(good) },
      { ...answerTo(challenge, wallet), signedMessage: base64(good) },
      // Other encodings.
      {
        ...answer,
        signedMessage: answer.signedMessage.replace(/=*$/, (padding: string) => (padding ? '' : '=')),
      },
      { ...answer, signedMessage: Buffer.from(good).toString('base64url') },
      { ...answer, signedMessage: Buffer.from(good).toString('hex') },
      { ...answer, signedMessage: `${answer.signedMessage.slice(0, 8)}\n${answer.signedMessage.slice(8)}` },
      { ...answer, signedMessage: '\u0000' },
      { ...answer, signedMessage: '' },
    ]
    const texts = new Set<unknown>()
    for (const body of refused) {
      const { status, body: said } = await post(body)
      expect({ body, status, code: said.code }).toEqual({ body, status: 401, code: 'login_refused' })
      texts.add(said.detail)
    }
    expect(texts.size).toBe(1)
    expect((await post(answer)).status).toBe(200)
  })

  it('rejects a longer message and any other type with 400 and the field’s name', async () => {
    const wallet = createWallet()
    const challenge = await challengeFor(wallet.publicKey)
    const answer = answerTo(challenge, wallet)
    for (const signedMessage of [base64(new Uint8Array(1501)), 'A'.repeat(60_000), 7, null, []]) {
      const { body } = await post({ ...answer, signedMessage })
      expect(body).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ path: 'signedMessage' }],
      })
    }
    expect((await post({ ...answer, signedMessage: base64(new Uint8Array(1500)) })).status).toBe(401)
    expect((await post(answer)).status).toBe(200)
  })

  it('accepts one of fifty concurrent posts of one nonce', async () => {
    const wallet = createWallet()
    const challenge = await challengeFor(wallet.publicKey)
    const body = signing(challenge, wallet, bytesOf(String(challenge.challenge), 0, [wallet.publicKey]))
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
