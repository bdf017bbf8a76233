import { injected } from '../injected.ts'
import { logError } from '../runtime/log.ts'
import { within } from '../time.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/** Time limit for KV. It is short because most challenges can be rebuilt without KV. */
export const KV_TIMEOUT_MS = injected('KV_TIMEOUT_MS') ?? 1_000

/**
 * The value in KV under `nonce:<nonce>`: the text to sign, its expiry, and the wallet if only one may sign.
 */
export type StoredChallenge = {
  text: string
  /** Unix milliseconds. This decides; KV's own expiry only cleans up. */
  expiresAt: number
  wallet?: string
}

const key = (nonce: string) => `nonce:${nonce}`

/** Stores a challenge with one KV write. A failure is only logged. */
export async function storeChallenge(
  nonces: KVNamespace,
  nonce: string,
  challenge: StoredChallenge,
): Promise<void> {
  const expirationTtl = CHALLENGE_LIFETIME_MS / 1000
  try {
    await within(KV_TIMEOUT_MS, nonces.put(key(nonce), JSON.stringify(challenge), { expirationTtl }))
  } catch {
    logError({ kv: 'nonces', reason: 'not stored' })
  }
}

/** Checks that KV answers, by reading a key that never exists. Any error counts as no. */
export async function noncesAnswer(nonces: KVNamespace): Promise<boolean> {
  try {
    return (await nonces.get('health')) === null
  } catch {
    return false
  }
}

/** Finds the challenge of a nonce with one KV read: null if KV has none, undefined if it does not answer. */
export async function findChallenge(
  nonces: KVNamespace,
  nonce: string,
): Promise<StoredChallenge | null | undefined> {
  try {
    return await within(KV_TIMEOUT_MS, nonces.get<StoredChallenge>(key(nonce), 'json'))
  } catch {
    logError({ kv: 'nonces', reason: 'not read' })
    return undefined
  }
}
