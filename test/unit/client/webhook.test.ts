import { createHash, createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerChallenge,
  verifyWebhook,
  type WebhookOptions,
  WebhookRefused,
} from '../../../lib/client/index.ts'
import { importWebhookKeys, signedHeaders } from '../../../lib/events/sending/signing.ts'
import { generateWebhookKeys } from '../../../lib/tools/keys/webhooks.ts'
import { createWebhookSigner, type SignedWebhook, signWebhook } from '../../support/webhook-signer.ts'

const trusted = createWebhookSigner()
const other = createWebhookSigner()
const NOW = Date.parse('2026-11-20T09:05:00.000Z')
const id = '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7e'
const message = { id, body: '{"amount":100000000000000000001}', at: NOW }
const sent = signWebhook([trusted], message)

const verify = (webhook: SignedWebhook, options: WebhookOptions = {}, keys = [trusted.publicKey]) =>
  verifyWebhook(webhook, { keys }, { now: NOW, ...options })
const withHeaders = (changes: Record<string, string>) => ({
  ...sent,
  headers: { ...sent.headers, ...changes },
})
const without = (name: string) => {
  const { [name]: _left, ...headers } = sent.headers
  return { ...sent, headers }
}

describe('a request for a proof', () => {
  const challenge = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
  const request = async (data: unknown) => {
    const body = JSON.stringify({
      type: 'endpoint.verification',
      timestamp: '2026-11-20T09:05:00.000Z',
      data,
    })
    return verify(signWebhook([trusted], { ...message, body }))
  }

  it('is answered with the SHA-256 of its challenge, in lowercase hexadecimal', async () => {
    const proof = createHash('sha256').update(challenge).digest('hex')
    const verified = await request({ challenge, wallet: 'anna' })
    expect(await answerChallenge(verified)).toBe(proof)
    expect(await answerChallenge(verified, 'anna')).toBe(proof)
  })

  it('of another wallet is refused', async () => {
    const verified = await request({ challenge, wallet: 'mallory' })
    await expect(answerChallenge(verified, 'anna')).rejects.toBeInstanceOf(WebhookRefused)
    await expect(answerChallenge(await request({ challenge }), 'anna')).rejects.toBeInstanceOf(WebhookRefused)
  })

  it.each([
    '{"type":"hire.created","data":{"challenge":"x"}}',
    'null',
    '"text"',
    '[]',
    '{"type":"endpoint.verification"}',
  ])('is not %s', async (body) => {
    expect(await answerChallenge(await verify(signWebhook([trusted], { ...message, body })))).toBeUndefined()
  })
})

describe('a webhook', () => {
  it('is verified, identified, and its event parsed to the last digit', async () => {
    const verified = { id, event: { amount: 100000000000000000001n } }
    expect(await verify(sent)).toEqual(verified)
    const { headers, body } = sent
    const request = new Request('https://example.com/hook', { method: 'POST', headers, body })
    const bytes = new Uint8Array(await request.arrayBuffer())
    const trust = { keys: [trusted.publicKey] }
    expect(await verifyWebhook({ headers: request.headers, body: bytes }, trust, { now: NOW })).toEqual(
      verified,
    )
  })

  it('of the service is verified, during a rotation by the old key and by the new one', async () => {
    const first = generateWebhookKeys()
    const second = generateWebhookKeys(first.WEBHOOK_SIGNING_KEYS)
    const signers = await importWebhookKeys(second.WEBHOOK_SIGNING_KEYS)
    const body = Buffer.from(message.body)
    const headers = await signedHeaders({ keys: signers, secrets: [] }, { id, at: new Date(NOW), body })
    const published = second.WEBHOOK_PUBLIC_KEYS.split(',')
    expect(published).toHaveLength(2)
    for (const known of [published, ...published.map((key) => [key])]) {
      expect(await verifyWebhook({ headers, body }, { keys: known }, { now: NOW })).toMatchObject({ id })
    }
    const stranger = { keys: [other.publicKey] }
    await expect(verifyWebhook({ headers, body }, stranger, { now: NOW })).rejects.toThrow(WebhookRefused)
  })

  it('is refused when one bit of its body was changed', async () => {
    const body = Buffer.from(sent.body)
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length * 8 - 1), async (bit) => {
        const tampered = Buffer.from(body)
        tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const webhook = { headers: sent.headers, body: tampered }
        const verified = verifyWebhook(webhook, { keys: [trusted.publicKey] }, { now: NOW })
        await expect(verified).rejects.toThrow('no valid signature')
      }),
    )
  })

  it.each([
    ['with more in its body', { ...sent, body: `${sent.body} ` }],
    ['with an empty body', { ...sent, body: '' }],
    ['with another id', withHeaders({ 'webhook-id': '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7f' })],
    ['with another time', withHeaders({ 'webhook-timestamp': String(NOW / 1000 + 1) })],
    ['by another key', signWebhook([other], message)],
    ['with a signature cut off', withHeaders({ 'webhook-signature': 'v1a,AAAA' })],
    ['with an empty signature', withHeaders({ 'webhook-signature': 'v1a,' })],
    ['with a signature of zeros', withHeaders({ 'webhook-signature': `v1a,${'A'.repeat(86)}==` })],
    [
      'signed as another version',
      withHeaders({ 'webhook-signature': sent.headers['webhook-signature']?.replace('v1a', 'v1') ?? '' }),
    ],
    ['signed without a version', withHeaders({ 'webhook-signature': 'not a signature' })],
    ['with a signature that is no Base64', withHeaders({ 'webhook-signature': 'v1a,%' })],
  ])('%s is refused', async (_what, webhook) => {
    await expect(verify(webhook)).rejects.toThrow('webhook-signature has no valid signature by a known key')
  })

  it('with several signatures is verified if one of them is by a known key', async () => {
    const both = signWebhook([other, trusted], message).headers['webhook-signature'] ?? ''
    const odd = `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN v2,x v1a, ${both}`
    for (const text of [both, both.split(' ').reverse().join(' '), odd]) {
      expect(await verify(withHeaders({ 'webhook-signature': text }))).toMatchObject({ id })
    }
  })

  it('is verified by any of several keys', async () => {
    for (const known of [
      [trusted.publicKey, other.publicKey],
      [other.publicKey, trusted.publicKey],
    ]) {
      expect(await verify(sent, {}, known)).toMatchObject({ id })
    }
    await expect(verify(sent, {}, [])).rejects.toThrow(WebhookRefused)
  })

  it.each([-300, 300])('may be %d seconds off', async (seconds) => {
    expect(await verify(sent, { now: NOW + seconds * 1000 })).toMatchObject({ id })
  })

  it.each([-301, 301])('is refused %d seconds off, unless any timestamp is accepted', async (seconds) => {
    const now = NOW + seconds * 1000
    await expect(verify(sent, { now })).rejects.toThrow('more than 300 seconds off')
    await expect(verify(sent, { now })).rejects.toThrow(
      'if a gateway delays webhooks, raise toleranceSeconds',
    )
    expect(await verify(sent, { now, toleranceSeconds: Number.POSITIVE_INFINITY })).toMatchObject({ id })
  })

  it('is verified ten minutes late where toleranceSeconds allows for a gateway', async () => {
    expect(await verify(sent, { now: NOW + 600_000, toleranceSeconds: 900 })).toMatchObject({ id })
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s is refused', async (name) => {
    await expect(verify(without(name))).rejects.toThrow(`${name} is missing`)
    await expect(verify(withHeaders({ [name]: '' }))).rejects.toThrow(`${name} is missing`)
  })

  it.each([' ', 'now', '1e9', '0x10', '-1', '+1', '1.5', '1, 1', '9'.repeat(16), '2026-11-20T09:05:00Z'])(
    'with %j for its timestamp is refused with any signature',
    async (timestamp) => {
      await expect(verify(withHeaders({ 'webhook-timestamp': timestamp }))).rejects.toThrow(
        'webhook-timestamp',
      )
    },
  )

  it('is refused when id, timestamp and body are split at another dot', async () => {
    const body = '{"name":"x.1795000000.y"}'
    const { headers } = signWebhook([trusted], { ...message, body })
    const timestamp = headers['webhook-timestamp']
    const cut = {
      headers: {
        ...headers,
        'webhook-id': `${id}.${timestamp}.{"name":"x`,
        'webhook-timestamp': '1795000000',
      },
      body: 'y"}',
    }
    await expect(verify(cut, { toleranceSeconds: Number.POSITIVE_INFINITY })).rejects.toThrow(
      'webhook-id has a dot',
    )
  })
})

it.each([
  '',
  'whpk_',
  'whpk_AAAA',
  `whsec_${'A'.repeat(32)}`,
  `whsk_${'A'.repeat(43)}=`,
  `whpk_${'A'.repeat(86)}==`,
  'A'.repeat(44),
])('%j is no key', async (key) => {
  await expect(verify(sent, {}, [trusted.publicKey, key])).rejects.toThrow(new TypeError('not a whpk_ key'))
})

describe('a webhook signed by a shared secret', () => {
  const secret = randomBytes(24)
  const text = `whsec_${secret.toString('base64')}`
  const signed = (by: Buffer, body = message.body): SignedWebhook => {
    const mac = createHmac('sha256', by)
      .update(`${id}.${NOW / 1000}.${body}`)
      .digest('base64')
    return { ...sent, body, headers: { ...sent.headers, 'webhook-signature': `v1,${mac}` } }
  }
  const check = (webhook: SignedWebhook, secrets: string[], keys: string[] = []) =>
    verifyWebhook(webhook, { secrets, keys }, { now: NOW })

  it('is verified by any of several secrets, next to signatures of the other scheme', async () => {
    expect(await check(signed(secret), [text])).toMatchObject({ id })
    const older = `whsec_${randomBytes(32).toString('base64')}`
    expect(await check(signed(secret), [older, text])).toMatchObject({ id })
    const both = `${sent.headers['webhook-signature']} ${signed(secret).headers['webhook-signature']}`
    expect(await check(withHeaders({ 'webhook-signature': both }), [text])).toMatchObject({ id })
    expect(await check(withHeaders({ 'webhook-signature': both }), [], [trusted.publicKey])).toMatchObject({
      id,
    })
  })

  it('is refused with a stranger’s own event, which the service’s key signs alike', async () => {
    await expect(check(sent, [text], [trusted.publicKey])).rejects.toThrow('no valid signature')
    const strangers = `${sent.headers['webhook-signature']} ${signed(randomBytes(24)).headers['webhook-signature']}`
    const webhook = withHeaders({ 'webhook-signature': strangers })
    await expect(check(webhook, [text], [trusted.publicKey])).rejects.toThrow('no valid signature')
  })

  it('is verified as the standard’s own example has it', async () => {
    // https://github.com/standard-webhooks/standard-webhooks, its libraries' first test.
    const webhook = {
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"test": 2432232314}',
    }
    const trust = { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }
    const verified = await verifyWebhook(webhook, trust, { now: 1_614_265_330_000 })
    expect(verified.id).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek')
  })

  it('is refused by another secret, with another body, and as the other scheme', async () => {
    const refusal = 'no valid signature'
    await expect(check(signed(randomBytes(24)), [text])).rejects.toThrow(refusal)
    await expect(check({ ...signed(secret), body: '{}' }, [text])).rejects.toThrow(refusal)
    await expect(check(signed(secret), [], [trusted.publicKey])).rejects.toThrow(refusal)
    const asKey = signed(secret).headers['webhook-signature']?.replace('v1,', 'v1a,') ?? ''
    await expect(check(withHeaders({ 'webhook-signature': asKey }), [text])).rejects.toThrow(refusal)
  })

  it('is refused when its body is no JSON', async () => {
    await expect(check(signed(secret, 'no'), [text])).rejects.toThrow('the body is not JSON')
  })

  it('is not checked by what is no secret, which no message repeats', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%', 'hunter2'])
      await expect(check(signed(secret), [wrong])).rejects.toThrow(new TypeError('not a whsec_ secret'))
  })
})
