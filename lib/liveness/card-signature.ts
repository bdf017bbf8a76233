import { base64urlnopad } from '@scure/base'
import { createLocalJWKSet, decodeProtectedHeader, flattenedVerify, type JSONWebKeySet } from 'jose'
import type { CardStatus } from '../../schema/values.ts'
import { utf8 } from '../keys/bytes.ts'
import { canonicalJson } from '../keys/canonical-json.ts'
import { type ForeignCard, isObject, isText } from './own-card.ts'

/** The accepted algorithms, without shared secrets and without `none`. */
const ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
]

/** The most signatures that are checked. */
const MAX_SIGNATURES = 4

type Signature = { protected: string; signature: string; jku: string }

/**
 * Checks a card's signatures. It is `verified` if one signature verifies with a key set at the card's own
 * origin, named in its protected header. Other keys prove nothing, because the card's author chooses them.
 * @param cardUrl the URL of the card
 * @param readKeySet reads the text at a URL of that origin; undefined without an answer
 */
export async function cardStatusOf(
  card: ForeignCard,
  cardUrl: string,
  readKeySet: (url: string) => Promise<string | undefined>,
): Promise<CardStatus> {
  const { signatures, ...signed } = card
  if (!Array.isArray(signatures) || signatures.length === 0) return 'unsigned'
  const own = signatures.slice(0, MAX_SIGNATURES).flatMap((entry) => ownSignature(entry, cardUrl))
  const [first] = own
  if (first === undefined) return 'signed'
  const keys = await readKeySet(first.jku)
  if (keys === undefined) return 'signed'
  const ofKeySet = own.filter(({ jku }) => jku === first.jku)
  return (await verifiesAny(ofKeySet, signed, keys)) ? 'verified' : 'signed'
}

/** Returns the signature if its protected header names a key set at the card's origin. */
function ownSignature(entry: unknown, cardUrl: string): Signature[] {
  if (!isObject(entry) || !isText(entry.protected) || !isText(entry.signature)) return []
  try {
    const { jku } = decodeProtectedHeader({ protected: entry.protected })
    const isOwn = isText(jku) && URL.parse(jku)?.origin === new URL(cardUrl).origin
    return isOwn ? [{ protected: entry.protected, signature: entry.signature, jku }] : []
  } catch {
    return []
  }
}

/** Verifies with and without empty members, because some signers leave them out. */
async function verifiesAny(signatures: Signature[], signed: ForeignCard, keySet: string): Promise<boolean> {
  try {
    const keys = createLocalJWKSet(JSON.parse(keySet) as JSONWebKeySet)
    const forms = [signed, withoutEmpty(signed)].map((form) =>
      base64urlnopad.encode(utf8(canonicalJson(Object(form)))),
    )
    for (const { jku: _, ...signature } of signatures)
      for (const payload of forms) if (await verifies({ ...signature, payload }, keys)) return true
  } catch {
    // Not a key set, or nested too deeply for a canonical form.
  }
  return false
}

async function verifies(
  jws: { protected: string; signature: string; payload: string },
  keys: ReturnType<typeof createLocalJWKSet>,
): Promise<boolean> {
  try {
    await flattenedVerify(jws, keys, { algorithms: ALGORITHMS })
    return true
  } catch {
    return false
  }
}

/** Removes empty texts, lists, objects and null, as the A2A SDKs do before they sign. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return cached(value.map(withoutEmpty).filter((entry) => entry !== undefined))
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const)
    return cached(Object.fromEntries(entries.filter(([, member]) => member !== undefined)))
  }
  return value === '' || value === null ? undefined : value
}

const cached = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value
