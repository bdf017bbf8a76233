import canonicalize from 'canonicalize'
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { cardStatusOf } from '../../../lib/liveness/card-signature.ts'
import { cardFor } from '../../../lib/liveness/own-card.ts'

const URL_ = 'https://agent.example.com/a2a'
const CARD_URL = 'https://agent.example.com/.well-known/agent-card.json'
const JKU = 'https://agent.example.com/keys.json'

const card = (changes: object = {}): Record<string, unknown> => ({
  name: 'Scout',
  description: 'Scouts.',
  supportedInterfaces: [{ url: URL_, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '2.1.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  ...changes,
})

let privateKey: CryptoKey
let keySet: string
beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  privateKey = pair.privateKey
  keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: '1', alg: 'ES256' }] })
})

async function signed(content: object, jku: string = JKU, form: object = content) {
  const jws = await new FlattenedSign(new TextEncoder().encode(canonicalize(form)))
    .setProtectedHeader({ alg: 'ES256', kid: '1', typ: 'JOSE', jku })
    .sign(privateKey)
  return { ...content, signatures: [{ protected: jws.protected, signature: jws.signature }] }
}

/** The status, and which key sets were asked for. */
async function judge(content: Record<string, unknown>, text: string | null = keySet) {
  const asked: string[] = []
  const status = await cardStatusOf(content, CARD_URL, async (url) => {
    asked.push(url)
    return text ?? undefined
  })
  return [status, asked]
}

describe('a host’s card', () => {
  it('belongs to the endpoint if it has the required members and its URL', () => {
    const read = (content: unknown) => cardFor(URL_, JSON.stringify(content))
    expect(read(card())).toEqual(card())
    const other = [
      { url: 'https://agent.example.com/other', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]
    expect(read(card({ supportedInterfaces: other }))).toBeUndefined()
    expect(
      read(card({ supportedInterfaces: [null, 1, { url: 'https://AGENT.example.com:443/a2a' }] })),
    ).toBeDefined()
    for (const member of Object.keys(card()))
      expect(read(card({ [member]: undefined })), member).toBeUndefined()
    for (const content of [null, 1, 'x', [], [card()]]) expect(read(content)).toBeUndefined()
    expect(cardFor(URL_, '{"name":')).toBeUndefined()
    expect(cardFor(URL_, '<html>')).toBeUndefined()
  })

  it('may have hostile members', () => {
    const text = JSON.stringify(card()).replace(
      '{',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    )
    expect(cardFor(URL_, text)).toBeDefined()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('the status of its signatures', () => {
  it('is verified by a key set at its own origin, with or without empty members', async () => {
    expect(await judge(await signed(card()))).toEqual(['verified', [JKU]])
    const { capabilities: _, skills: __, ...cleaned } = card()
    expect(await judge(await signed(card(), JKU, cleaned))).toEqual(['verified', [JKU]])
  })

  it('is signed when the card was changed or the keys are missing or others', async () => {
    const content = await signed(card())
    expect(await judge({ ...content, name: 'Another' })).toEqual(['signed', [JKU]])
    expect(await judge(content, null)).toEqual(['signed', [JKU]])
    for (const text of [
      '',
      '<html>',
      '{}',
      '{"keys":[]}',
      '{"keys":[{"kty":"oct","k":"AAAA","kid":"1","alg":"ES256"}]}',
    ])
      expect(await judge(content, text), text).toEqual(['signed', [JKU]])
  })

  it.each([
    'https://evil.example.com/keys.json',
    'https://agent.example.com.evil.example/keys.json',
    'https://agent.example.com:8443/keys.json',
    'http://agent.example.com/keys.json',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1/keys.json',
    'file:///etc/passwd',
    'keys.json',
    '',
  ])('is signed, without a request, for keys at %j', async (jku) => {
    expect(await judge(await signed(card(), jku))).toEqual(['signed', []])
  })

  it('is unsigned without signatures, and signed with invalid ones', async () => {
    expect(await judge(card())).toEqual(['unsigned', []])
    expect(await judge(card({ signatures: [] }))).toEqual(['unsigned', []])
    expect(await judge(card({ signatures: 'x' }))).toEqual(['unsigned', []])
    const broken = [null, 1, {}, { protected: '!', signature: 'x' }, { protected: 'e30', signature: '' }]
    expect(await judge(card({ signatures: broken }))).toEqual(['signed', []])
  })

  it('accepts neither a shared secret nor alg none', async () => {
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: '1', jku: JKU })).toString('base64url')
      const secret = JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA', kid: '1', alg }] })
      expect(await judge(card({ signatures: [{ protected: header, signature: 'AAAA' }] }), secret)).toEqual([
        'signed',
        [JKU],
      ])
    }
  })

  it('handles deeply nested cards, and reads a key set once for many signatures', async () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)
    const content = await signed(card())
    expect(await judge({ ...content, extensions: deep })).toEqual(['signed', [JKU]])
    const [signature] = content.signatures
    const many = Array.from({ length: 1_000 }, () => ({ ...signature, signature: 'AAAA' }))
    expect(await judge({ ...content, signatures: many })).toEqual(['signed', [JKU]])
  })
})
