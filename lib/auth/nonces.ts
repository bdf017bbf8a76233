import { logError } from '../log.ts'
import { within } from '../time.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/** What KV keeps under `nonce:<nonce>`: the text to be signed, until when, and by whom if that is fixed. */
export type StoredChallenge = {
  text: string
  /** Unix milliseconds. KV's own expiry only cleans up; this is what counts. */
  expiresAt: number
  wallet?: string
}

const key = (nonce: string) => `nonce:${nonce}`

/** For so long KV is waited for: most challenges can be rebuilt without it. */
const KV_TIMEOUT_MS = 1_000

/** Remembers a challenge, if KV does it in time: one KV write. */
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

/** Checks that KV answers, by a key that never exists: one KV read. An error of any kind counts as no. */
export async function noncesAnswer(nonces: KVNamespace): Promise<boolean> {
  try {
    return (await nonces.get('health')) === null
  } catch {
    return false
  }
}

/** Finds the challenge of a nonce: one KV read. Null if KV has none, undefined if it does not say in time. */
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
