import { base64urlnopad, hex } from '@scure/base'
import { equalBytes, randomHex, utf8 } from '../keys/bytes.ts'
import { memoized } from '../runtime/cache.ts'
import type { Requester } from './messages.ts'

/*
 * A nonce proves that the service issued it, when, and for which page and wallet. So a challenge can be
 * rebuilt from its nonce when KV does not have it yet. A nonce has 16 random bytes, 6 bytes of issue time in
 * milliseconds, and 16 bytes of an HMAC-SHA256 over both, domain, uri and wallet. It is hexadecimal because
 * Sign-In-With-Solana takes only letters and digits.
 */

const RANDOM_BYTES = 16
const TIME_DIGITS = 12
const HEAD_DIGITS = 2 * RANDOM_BYTES + TIME_DIGITS
const MAC_BYTES = 16

/** Checks the format of a nonce. */
export const isNonce = (text: string): boolean => /^[0-9a-f]{76}$/.test(text)

/** What a nonce is bound to: the page, the wallet if only one may answer, and what it consents to. */
type Binding = Requester & { wallet: string | undefined; consent?: string }

/**
 * Issues a nonce.
 * @param signingKey the private JWK of session tokens as JSON, from which the nonces' keys are derived (HKDF)
 */
export async function issueNonce(signingKey: string, binding: Binding, now: Date): Promise<string> {
  const head = randomHex(RANDOM_BYTES) + now.getTime().toString(16).padStart(TIME_DIGITS, '0')
  return head + hex.encode(await macOf(signingKey, head, binding))
}

/** Returns when a nonce was issued; undefined if it was not issued for this binding. */
export async function issuedAt(
  signingKey: string,
  nonce: string,
  binding: Binding,
): Promise<Date | undefined> {
  const head = nonce.slice(0, HEAD_DIGITS)
  const mac = await macOf(signingKey, head, binding)
  if (!equalBytes(mac, hex.decode(nonce.slice(HEAD_DIGITS)))) return undefined
  return new Date(Number.parseInt(head.slice(2 * RANDOM_BYTES), 16))
}

async function macOf(
  signingKey: string,
  head: string,
  { domain, uri, wallet, consent }: Binding,
): Promise<Uint8Array> {
  const bound = [head, domain, uri, wallet ?? null]
  const text = JSON.stringify(consent === undefined ? bound : [...bound, consent])
  // A nonce of a login never answers for a consent, nor the other way round.
  const keyOf = consent === undefined ? loginKey : consentKey
  const mac = await crypto.subtle.sign('HMAC', await keyOf(signingKey), utf8(text))
  return new Uint8Array(mac).slice(0, MAC_BYTES)
}

/** Derives an HMAC key once per isolate; a deployment has one signing key. */
const macKeyFor = (label: string) =>
  memoized(1, async (signingKey): Promise<CryptoKey> => {
    const { d = '' }: { d?: string } = JSON.parse(signingKey)
    const secret = new Uint8Array(base64urlnopad.decode(d))
    const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
    return crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(label) },
      source,
      { name: 'HMAC', hash: 'SHA-256', length: 256 },
      false,
      ['sign'],
    )
  })

const loginKey = macKeyFor('agentcred login nonce')
const consentKey = macKeyFor('agentcred consent nonce')
