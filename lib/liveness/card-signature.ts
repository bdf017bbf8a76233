import { base64urlnopad } from '@scure/base'
import { createLocalJWKSet, decodeProtectedHeader, flattenedVerify, type JSONWebKeySet } from 'jose'
import type { CardStatus } from '../../schema/values.ts'
import { utf8 } from '../keys/bytes.ts'
import { canonicalJson } from '../keys/canonical-json.ts'
import { type ForeignCard, isObject, isText } from './own-card.ts'

/** Only these: no shared secrets, and no `none`. */
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

/** More signatures than this are not looked at. */
const MAX_SIGNATURES = 4

type Signature = { protected: string; signature: string; jku: string }

/**
 * Says what a card's signatures are worth. `verified`: one signature verifies by a key set at the card's own
 * origin, which its protected header names. Keys from elsewhere prove nothing here: the author of the card
 * chooses them.
 * @param cardUrl where the card was served
 * @param readKeySet the text at a URL of that origin; undefined when there is none
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

/** The signature, if its protected header names a key set at the origin of the card. */
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

/** Signers differ in whether they leave out empty members before they sign, so both forms count. */
async function verifiesAny(signatures: Signature[], signed: ForeignCard, keySet: string): Promise<boolean> {
  try {
    const keys = createLocalJWKSet(JSON.parse(keySet) as JSONWebKeySet)
    const forms = [signed, withoutEmpty(signed)].map((form) =>
      base64urlnopad.encode(utf8(canonicalJson(Object(form)))),
    )
    for (const { jku: _, ...signature } of signatures)
      for (const payload of forms) if (await verifies({ ...signature, payload }, keys)) return true
  } catch {
    // No key set, or nested too deeply for a canonical form.
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

/** The value without empty text, lists, objects and null, as the A2A SDKs have it before they sign. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return kept(value.map(withoutEmpty).filter((entry) => entry !== undefined))
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const)
    return kept(Object.fromEntries(entries.filter(([, member]) => member !== undefined)))
  }
  return value === '' || value === null ? undefined : value
}

const kept = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value
