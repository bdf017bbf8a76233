/** Crockford's Base32: without I, L and O, which look like 1, 1 and 0, and without U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX = 'CRED'

/** The random bytes of a code: one for each character, with 60 random bits in all. */
export const CODE_BYTES = 12
/** The length of former codes, which can also be redeemed. */
const FORMER_LENGTH = 8

/** The longest text that is read as a code, including spaces and hyphens. */
const MAX_SPELLING = 64

/** Returns a code from random bytes: CRED-XXXXXX-XXXXXX. */
export function codeFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== CODE_BYTES) throw new RangeError(`a code needs ${CODE_BYTES} bytes`)
  return spell([...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''))
}

/**
 * Returns the canonical spelling of a typed code. It accepts any case, O for 0, I or L for 1, and hyphens and
 * spaces anywhere or nowhere. Undefined for text that can't be a code.
 */
export function canonicalCode(text: string): string | undefined {
  if (text.length > MAX_SPELLING) return undefined
  const letters = text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const body = new RegExp(`^${PREFIX}([${ALPHABET}]+)$`).exec(letters)?.[1] ?? ''
  return body.length === CODE_BYTES || body.length === FORMER_LENGTH ? spell(body) : undefined
}

/** Formats a code in two blocks of equal length. */
const spell = (body: string) => `${PREFIX}-${body.slice(0, body.length / 2)}-${body.slice(body.length / 2)}`

/** The state of a code: `open` can be redeemed. */
type InviteState = 'open' | 'used' | 'revoked' | 'expired'

/** Returns the state of a code at `now`. */
export function stateOf(
  invite: { usedAt: Date | null; revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): InviteState {
  if (invite.usedAt !== null) return 'used'
  if (invite.revokedAt !== null) return 'revoked'
  return invite.expiresAt !== null && invite.expiresAt <= now ? 'expired' : 'open'
}

const MAX_SPOTS = 1_000_000_000

/**
 * Reads the configured number of spots.
 * @throws Error if the setting is invalid
 */
export function parseSpots(text: string): number {
  const spots = Number(text)
  if (/^\d+$/.test(text) && spots <= MAX_SPOTS) return spots
  throw new Error(`PIONEER_SPOTS must be a whole number up to ${MAX_SPOTS}, not "${text}"`)
}

/** Returns the remaining spots of `total`, which an operator may have lowered below the taken spots. */
export const spotsLeft = (total: number, taken: number): number => Math.max(0, total - taken)
