/** Crockford's Base32: no I, L, O (look like 1, 1, 0) and no U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX = 'CRED'

/** Random bytes that a code is made of: one for each character, 60 bits in all. */
export const CODE_BYTES = 12
/** Codes that were issued with so many characters can be redeemed as well. */
const FORMER_LENGTH = 8

/** The longest text that is read as a code, its spaces and hyphens included. */
const MAX_SPELLING = 64

/** Spells a code of random bytes: CRED-XXXXXX-XXXXXX. */
export function codeFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== CODE_BYTES) throw new RangeError(`a code is made of ${CODE_BYTES} bytes`)
  return spell([...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''))
}

/**
 * Finds the canonical spelling of a code as somebody wrote it: any case, O for 0, I or L for 1, hyphens and
 * spaces anywhere or nowhere. Undefined for text that can not be a code.
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

/** Writes a code in two blocks of equal length. */
const spell = (body: string) => `${PREFIX}-${body.slice(0, body.length / 2)}-${body.slice(body.length / 2)}`

/** Whether a code can be redeemed (open), or why not. */
type InviteState = 'open' | 'used' | 'revoked' | 'expired'

/** Tells the state of a code at `now`. */
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
 * @throws Error for any other text: an operator's mistake
 */
export function parseSpots(text: string): number {
  const spots = Number(text)
  if (/^\d+$/.test(text) && spots <= MAX_SPOTS) return spots
  throw new Error(`PIONEER_SPOTS must be a whole number up to ${MAX_SPOTS}, not "${text}"`)
}

/** Counts the spots left of `total`, which an operator may have lowered below the taken spots. */
export const spotsLeft = (total: number, taken: number): number => Math.max(0, total - taken)
