import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/** What KV keeps under `nonce:<nonce>`: the text to be signed, until when, and by whom if that is fixed. */
export type StoredChallenge = {
  text: string
  /** Unix milliseconds. KV's own expiry only cleans up; this is what counts. */
  expiresAt: number
  wallet?: string
}

const key = (nonce: string) => `nonce:${nonce}`

/** Remembers a challenge. One KV write. */
export const storeChallenge = (
  nonces: KVNamespace,
  nonce: string,
  challenge: StoredChallenge,
): Promise<void> =>
  nonces.put(key(nonce), JSON.stringify(challenge), { expirationTtl: CHALLENGE_LIFETIME_MS / 1000 })

/** Checks that KV answers, by a key that never exists: one KV read. An error of any kind counts as no. */
export async function noncesAnswer(nonces: KVNamespace): Promise<boolean> {
  try {
    return (await nonces.get('health')) === null
  } catch {
    return false
  }
}

/** Finds the challenge of a nonce, if KV has it: one KV read. */
export async function findChallenge(
  nonces: KVNamespace,
  nonce: string,
): Promise<StoredChallenge | undefined> {
  return (await nonces.get<StoredChallenge>(key(nonce), 'json')) ?? undefined
}
