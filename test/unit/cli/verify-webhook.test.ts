import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readWebhookKeys,
  readWebhookSecrets,
  verifyWebhook,
  WebhookRefused,
} from '../../../lib/cli/verify-webhook.ts'
import { importWebhookKeys, signedHeaders } from '../../../lib/events/signing.ts'
import { generateWebhookKeys } from '../../../lib/keys/webhooks.ts'
import { createWebhookSigner, type SignedWebhook, signWebhook } from '../../support/webhook-signer.ts'

const ours = createWebhookSigner()
const other = createWebhookSigner()
const keys = readWebhookKeys([ours.publicKey])
const NOW = Date.parse('2026-11-20T09:05:00.000Z')
const id = '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7e'
const message = { id, body: '{"amount":100000000000000000001}', at: NOW }
const sent = signWebhook([ours], message)

const verify = ({ headers, body }: SignedWebhook, now: number | undefined = NOW) =>
  verifyWebhook(headers, Buffer.from(body), keys, now)
const withHeaders = (changes: Record<string, string>) => ({
  ...sent,
  headers: { ...sent.headers, ...changes },
})
const without = (name: string) => {
  const { [name]: _left, ...headers } = sent.headers
  return { ...sent, headers }
}

describe('a webhook', () => {
  it('is verified, and identified', () => {
    expect(verify(sent)).toBe(id)
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
      expect(verifyWebhook(headers, body, readWebhookKeys(known), NOW)).toBe(id)
    }
    const stranger = readWebhookKeys([other.publicKey])
    expect(() => verifyWebhook(headers, body, stranger, NOW)).toThrow(WebhookRefused)
  })

  it('is refused when one bit of its body was changed', () => {
    const body = Buffer.from(sent.body)
    fc.assert(
      fc.property(fc.nat(body.length * 8 - 1), (bit) => {
        const tampered = Buffer.from(body)
        tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(() => verifyWebhook(sent.headers, tampered, keys, NOW)).toThrow('no valid signature')
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
  ])('%s is refused', (_what, webhook) => {
    expect(() => verify(webhook)).toThrow('webhook-signature has no valid signature by a known key')
  })

  it('with several signatures is verified if one of them is by a known key', () => {
    const both = signWebhook([other, ours], message).headers['webhook-signature'] ?? ''
    const odd = `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN v2,x v1a, ${both}`
    for (const text of [both, both.split(' ').reverse().join(' '), odd]) {
      expect(verify(withHeaders({ 'webhook-signature': text }))).toBe(id)
    }
  })

  it('is verified by any of several keys', () => {
    for (const known of [
      [ours.publicKey, other.publicKey],
      [other.publicKey, ours.publicKey],
    ]) {
      expect(verifyWebhook(sent.headers, Buffer.from(sent.body), readWebhookKeys(known), NOW)).toBe(id)
    }
    expect(() => verifyWebhook(sent.headers, Buffer.from(sent.body), [], NOW)).toThrow(WebhookRefused)
  })

  it.each([-300, 300])('may be %d seconds off', (seconds) => {
    expect(verify(sent, NOW + seconds * 1000)).toBe(id)
  })

  it.each([-301, 301])('is refused %d seconds off, unless any timestamp is accepted', (seconds) => {
    expect(() => verify(sent, NOW + seconds * 1000)).toThrow('more than 5 minutes off')
    expect(verifyWebhook(sent.headers, Buffer.from(sent.body), keys, undefined)).toBe(id)
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s is refused', (name) => {
    expect(() => verify(without(name))).toThrow(`${name} is missing`)
    expect(() => verify(withHeaders({ [name]: '' }))).toThrow(`${name} is missing`)
  })

  it.each([' ', 'now', '1e9', '0x10', '-1', '+1', '1.5', '1, 1', '9'.repeat(16), '2026-11-20T09:05:00Z'])(
    'with %j for its timestamp is refused whatever its signature',
    (timestamp) => {
      expect(() => verify(withHeaders({ 'webhook-timestamp': timestamp }))).toThrow('webhook-timestamp')
    },
  )

  it('is refused when id, timestamp and body are split at another dot', () => {
    const body = '{"name":"x.1795000000.y"}'
    const { headers } = signWebhook([ours], { ...message, body })
    const timestamp = headers['webhook-timestamp']
    const cut = {
      headers: {
        ...headers,
        'webhook-id': `${id}.${timestamp}.{"name":"x`,
        'webhook-timestamp': '1795000000',
      },
      body: 'y"}',
    }
    expect(() => verifyWebhook(cut.headers, Buffer.from(cut.body), keys, undefined)).toThrow(
      'webhook-id has a dot',
    )
  })
})

it.each(['', 'whpk_', 'whpk_AAAA', `whsk_${'A'.repeat(43)}=`, `whpk_${'A'.repeat(86)}==`, 'A'.repeat(44)])(
  '%j is no key',
  (key) => {
    expect(() => readWebhookKeys([ours.publicKey, key])).toThrow(new TypeError(`"${key}" is not a whpk_ key`))
  },
)

describe('a webhook to an endpoint with a secret', () => {
  const bytesOf = (fill: number) => new Uint8Array(24).fill(fill)
  const secretOf = (fill: number) => `whsec_${Buffer.from(bytesOf(fill)).toString('base64')}`
  const body = Buffer.from(message.body)
  const signed = (...fills: number[]) =>
    signedHeaders({ keys: [], secrets: fills.map(bytesOf) }, { id, at: new Date(NOW), body })

  it('is verified by each of its secrets, and by no other', async () => {
    const headers = await signed(2, 1)
    for (const fill of [1, 2]) {
      expect(verifyWebhook(headers, body, readWebhookSecrets([secretOf(fill)]), NOW)).toBe(id)
    }
    for (const known of [readWebhookSecrets([secretOf(3)]), keys]) {
      expect(() => verifyWebhook(headers, body, known, NOW)).toThrow('no valid signature')
    }
    const secrets = readWebhookSecrets([secretOf(1)])
    expect(() => verifyWebhook(headers, Buffer.concat([body, body]), secrets, NOW)).toThrow(
      'no valid signature',
    )
    const relabelled = headers['webhook-signature']?.replaceAll('v1,', 'v1a,') ?? ''
    expect(() => verifyWebhook({ ...headers, 'webhook-signature': relabelled }, body, secrets, NOW)).toThrow(
      'no valid signature',
    )
  })

  it.each(['', 'whsec_', 'whsec_AAAA', 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'])('%j is no secret', (text) => {
    expect(() => readWebhookSecrets([text])).toThrow(new TypeError('a secret must begin with whsec_'))
  })
})
