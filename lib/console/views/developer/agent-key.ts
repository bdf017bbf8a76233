import { base58, fromBase64 } from '../../../client/encoding.ts'
import { fromBase58 } from '../../../client/from-base58.ts'

/** The length of an Ed25519 public key, in bytes. */
const KEY_BYTES = 32

/** The length of a Solana secret key, in bytes: the private key and the public key. */
const SECRET_BYTES = 64

/** Longer texts are neither: decoding Base58 takes a time that grows with the square of its length. */
const MAX_BASE58 = 100

const PRIVATE = 'This is a private key. Keep it with your agent, and paste the public key here.'
const PRIVATE_JWK =
  'This is a private key. Keep it with your agent, and paste it here without its member “d”.'
const NOT_JSON = 'This JWK is not complete. Paste all of it, from { to }.'
const OTHER_KEY = 'Only Ed25519 keys work: a JWK with “kty”: “OKP”, “crv”: “Ed25519” and “x”.'
const NOT_BASE58 = 'This is not an Ed25519 public key in Base58 or as a JWK.'

/** A public key in Base58, or what is wrong with the text; neither for an empty text. */
type Parsed = { key?: string; problem?: string }

/**
 * Reads an Ed25519 public key that the visitor pasted, in Base58 or as a JWK. Refuses private keys in every
 * common form. The service checks that a key can be used.
 */
export function parseAgentKey(pasted: string): Parsed {
  const text = pasted.trim()
  if (text === '') return {}
  if (text.startsWith('{')) return parseJwk(text)
  // A PEM file, and the key file of Solana's tools.
  if (/PRIVATE KEY/.test(text) || text.startsWith('[')) return { problem: PRIVATE }
  const bytes = text.length > MAX_BASE58 ? undefined : orNothing(() => fromBase58(text))
  if (bytes?.length === SECRET_BYTES) return { problem: PRIVATE }
  return bytes?.length === KEY_BYTES ? { key: text } : { problem: NOT_BASE58 }
}

function parseJwk(text: string): Parsed {
  const jwk = orNothing(() => JSON.parse(text) as Record<string, unknown>)
  if (!jwk) return { problem: NOT_JSON }
  if ('d' in jwk) return { problem: PRIVATE_JWK }
  const { kty, crv, x } = jwk
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return { problem: OTHER_KEY }
  const bytes = orNothing(() => fromBase64(x.replaceAll('-', '+').replaceAll('_', '/')))
  return bytes?.length === KEY_BYTES ? { key: base58(bytes) } : { problem: OTHER_KEY }
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A key pair: the public key in Base58, and the private key as a JWK. */
export type AgentKey = { key: string; jwk: string }

/**
 * Creates an Ed25519 key pair in the browser.
 * @throws if the browser has no Ed25519, as over http
 */
export async function createAgentKey(): Promise<AgentKey> {
  const { privateKey } = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', privateKey)
  const { key, problem } = parseAgentKey(JSON.stringify({ kty, crv, x }))
  if (key === undefined) throw new Error(problem)
  return { key, jwk: JSON.stringify({ kty, crv, x, d }) }
}
