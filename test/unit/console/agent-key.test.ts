import { expect, it } from 'vitest'
import { base58 } from '../../../lib/client/index.ts'
import { createAgentKey, parseAgentKey } from '../../../lib/console/views/developer/agent-key.ts'
import { AGENT_KEY } from '../../../schema/examples.ts'

/** RFC 8037, appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const { d, ...PUBLIC } = JWK
const KEY = base58.encode(new Uint8Array(Buffer.from(JWK.x, 'base64url')))

const problemOf = (text: string) => parseAgentKey(text).problem

it('reads a public key in Base58 or as a JWK, with white space around it', () => {
  expect(parseAgentKey(AGENT_KEY)).toEqual({ key: AGENT_KEY })
  expect(parseAgentKey(` ${KEY}\n`)).toEqual({ key: KEY })
  expect(parseAgentKey(JSON.stringify(PUBLIC))).toEqual({ key: KEY })
  expect(parseAgentKey(`\n${JSON.stringify({ ...PUBLIC, kid: '1', use: 'sig' }, null, 2)}\n`)).toEqual({
    key: KEY,
  })
})

it('finds neither a key nor a problem when nothing was pasted', () => {
  expect(parseAgentKey(' \n')).toEqual({})
})

it('refuses a private key in each form, and says to paste the public key', () => {
  const secret = new Uint8Array(64).fill(7)
  for (const text of [base58.encode(secret), JSON.stringify([...secret]), '-----BEGIN PRIVATE KEY-----'])
    expect([text, parseAgentKey(text)]).toEqual([text, { problem: expect.stringMatching('private key') }])
  expect(parseAgentKey(JSON.stringify(JWK))).toEqual({
    problem: expect.stringMatching('without its member “d”'),
  })
  expect(parseAgentKey(JSON.stringify({ d })).problem).toMatch('private key')
})

it('says what is wrong when a JWK is cut off, of another kind, or of another length', () => {
  expect(problemOf(JSON.stringify(PUBLIC).slice(0, -1))).toMatch('not complete')
  for (const change of [{ kty: 'EC' }, { crv: 'X25519' }, { x: 'AA' }, { x: 1 }, { x: '!' }])
    expect([change, problemOf(JSON.stringify({ ...PUBLIC, ...change }))]).toEqual([
      change,
      expect.stringMatching('Only Ed25519 keys work'),
    ])
})

it.each([
  ['too short', '1'.repeat(31)],
  ['too long', '1'.repeat(33)],
  ['no Base58', `${KEY}0`],
  ['words', 'not a key'],
  ['JSON', '"text"'],
  ['very long', 'z'.repeat(10_000)],
])('finds no key when the text is %s', (_, text) => {
  expect(parseAgentKey(text)).toEqual({ problem: expect.stringMatching('not an Ed25519 public key') })
})

it('creates a new key pair each time, whose private key belongs to the public key', async () => {
  const [one, other] = [await createAgentKey(), await createAgentKey()]
  const { d, ...rest } = JSON.parse(one.jwk)
  expect(parseAgentKey(JSON.stringify(rest))).toEqual({ key: one.key })
  expect(Buffer.from(d, 'base64url')).toHaveLength(32)
  expect(Object.keys(rest).sort()).toEqual(['crv', 'kty', 'x'])
  expect(other.key).not.toBe(one.key)
})
