import { canonicalJson } from '../keys/canonical-json.ts'

/** Everything that the two sides of a job agree on. The price is in lamports of CRED. */
type Terms = {
  agentId: string
  hirer: string
  reference: string
  title: string
  brief: string
  inputHash: string | null
  price: bigint
  feeBps: number
  judge: string
  acceptMinutes: number
  workMinutes: number
  reviewMinutes: number
  /** 16 random bytes in hexadecimal, so that nobody guesses the terms from their hash on the chain. */
  salt: string
}

/**
 * Returns the hash of a job's terms: SHA-256, in hexadecimal, over their canonical JSON (RFC 8785), with the
 * price as decimal text.
 */
export async function termsHashOf(terms: Terms): Promise<string> {
  const text = canonicalJson({ ...terms, price: terms.price.toString() })
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** Makes the salt of new terms. */
export const newSalt = (): string => hex(crypto.getRandomValues(new Uint8Array(16)))

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
