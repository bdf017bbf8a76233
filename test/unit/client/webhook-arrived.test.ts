import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { type ArrivedWebhook, verifyWebhook, WebhookRefused } from '../../../lib/client/index.ts'
import { createWebhookSigner, signWebhook } from '../../support/webhook-signer.ts'

const signer = createWebhookSigner()
const NOW = Date.parse('2026-11-20T09:05:00.000Z')
const id = '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7e'
const sent = signWebhook([signer], { id, body: '{"amount":1,"name":"Ana\u00efs"}', at: NOW })
const bytes = Buffer.from(sent.body)
const entries = Object.entries(sent.headers)

const verify = (changes: object) =>
  verifyWebhook({ ...sent, ...changes } as ArrivedWebhook, { keys: [signer.publicKey] }, { now: NOW })

const titleCased = entries.map(([name, value]) => [name.replace(/\b[a-z]/g, (c) => c.toUpperCase()), value])

/** Headers as node-fetch, undici and jsdom have them: of a class that is not the global one. */
class OtherHeaders {
  get(name: string) {
    return sent.headers[name.toLowerCase()] ?? null
  }
}

it.each([
  ['keys in Title-Case', Object.fromEntries(titleCased)],
  ['keys in upper case', Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]))],
  ['lists of one', Object.fromEntries(titleCased.map(([name, value]) => [name, [value]]))],
  ['a class of another library', new OtherHeaders()],
  ['a map', new Map(entries)],
  ['a record without a prototype', Object.assign(Object.create(null), sent.headers)],
])('verifies headers with %s', async (_what, headers) => {
  expect(await verify({ headers })).toMatchObject({ id })
})

it.each([
  ['a list of two', { ...sent.headers, 'webhook-id': [id, id] }],
  ['two cases of one name', { ...sent.headers, 'Webhook-Id': 'x' }],
])('refuses a header that is there more than once: %s', async (_what, headers) => {
  await expect(verify({ headers })).rejects.toThrow(new WebhookRefused('webhook-id is missing or repeated'))
})

it.each([
  ['an ArrayBuffer', bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)],
  ['bytes of another environment', runInNewContext('Uint8Array.from(list)', { list: [...bytes] })],
  [
    'an ArrayBuffer of another environment',
    runInNewContext('Uint8Array.from(list).buffer', { list: [...bytes] }),
  ],
  ['a view of bytes', new DataView(bytes.buffer, bytes.byteOffset, bytes.length)],
])('verifies a body that is %s', async (_what, body) => {
  expect(await verify({ body })).toMatchObject({ id, event: { amount: 1n } })
})

it('refuses an empty body as one that was not signed', async () => {
  await expect(verify({ body: new Uint8Array() })).rejects.toThrow(WebhookRefused)
})

it.each([
  ['an object', JSON.parse(sent.body)],
  ['a list', [...bytes]],
  ['null', null],
  ['undefined', undefined],
])('asks for the raw body when it was parsed, as %s', async (_what, body) => {
  await expect(verify({ body })).rejects.toThrow(TypeError)
  await expect(verify({ body })).rejects.toThrow('pass the raw body, not a parsed one')
})
