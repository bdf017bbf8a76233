import { base64urlnopad, hex } from '@scure/base'
import { keptOf } from '../kept.ts'
import { equalBytes, randomHex, utf8 } from '../keys/bytes.ts'
import type { Requester } from './messages.ts'

/*
 * A nonce proves by itself that the service issued it, when, for which page and wallet, so that a challenge
 * can be rebuilt where KV does not have it yet: 16 random bytes, 6 of the issue time in milliseconds, and 16
 * of an HMAC-SHA256 over these, domain, uri and wallet. In hexadecimal, since Sign-In-With-Solana takes
 * letters and digits only.
 */

const RANDOM_BYTES = 16
const TIME_DIGITS = 12
const HEAD_DIGITS = 2 * RANDOM_BYTES + TIME_DIGITS
const MAC_BYTES = 16

/** Tells a text that can be a nonce. */
export const isNonce = (text: string): boolean => /^[0-9a-f]{76}$/.test(text)

/** What a nonce is bound to: the page that asked and, if only one wallet may answer, that one. */
type Binding = Requester & { wallet: string | undefined }

/**
 * Issues a nonce.
 * @param signingKey the private JWK of session tokens as JSON; the nonces' own key is derived of it (HKDF)
 */
export async function issueNonce(signingKey: string, binding: Binding, now: Date): Promise<string> {
  const head = randomHex(RANDOM_BYTES) + now.getTime().toString(16).padStart(TIME_DIGITS, '0')
  return head + hex.encode(await macOf(signingKey, head, binding))
}

/** When a nonce was issued, if it was issued for this binding; undefined if it was not. */
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
  { domain, uri, wallet }: Binding,
): Promise<Uint8Array> {
  const text = JSON.stringify([head, domain, uri, wallet ?? null])
  const mac = await crypto.subtle.sign('HMAC', await macKey(signingKey), utf8(text))
  return new Uint8Array(mac).slice(0, MAC_BYTES)
}

/** Derived once per isolate, of the one signing key that a deployment has. */
const macKey = keptOf(1, async (signingKey): Promise<CryptoKey> => {
  const { d = '' }: { d?: string } = JSON.parse(signingKey)
  const secret = new Uint8Array(base64urlnopad.decode(d))
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = utf8('agentcred login nonce')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    source,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  )
})
