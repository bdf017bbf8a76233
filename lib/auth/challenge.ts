import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import { challengeText, type Requester, serviceOf, signInInput, signInText } from './messages.ts'
import { findChallenge, type StoredChallenge, storeChallenge } from './nonces.ts'
import { isNonce, issuedAt, issueNonce } from './proof.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

type ChallengeDeps = { nonces: KVNamespace; now: Date; signingKey: string; apiOrigin: string }

/**
 * Makes a login challenge and stores it under its nonce for five minutes.
 * @param input.publicKey makes the challenge a Sign-In-With-Solana message that only this wallet may answer
 */
export async function createChallenge(
  deps: ChallengeDeps,
  input: { requester: Requester; publicKey?: Wallet | undefined },
) {
  const { requester, publicKey: wallet } = input
  const nonce = await issueNonce(deps.signingKey, { ...requester, wallet }, deps.now)
  const { signIn, text, expiresAt } = write(deps, nonce, deps.now, requester, wallet)
  await storeChallenge(deps.nonces, nonce, {
    text,
    expiresAt: expiresAt.getTime(),
    ...(wallet === undefined ? {} : { wallet }),
  })
  return { nonce, text, expiresAt, signIn }
}

/**
 * Finds the challenge of a nonce with one KV read. If KV does not have it yet or does not answer, rebuilds
 * the same text from the nonce, the page and the wallet. That is safe because a nonce is bound to its page
 * and wallet. Skips KV if the nonce is malformed.
 * @throws ApiError dependency_unavailable if KV does not answer and the nonce may be another page's
 */
export async function openChallenge(
  deps: ChallengeDeps,
  answer: { nonce: string; requester: Requester; publicKey: Wallet },
): Promise<StoredChallenge | undefined> {
  const { nonce, requester, publicKey } = answer
  if (!isNonce(nonce)) return undefined
  const stored = await findChallenge(deps.nonces, nonce)
  if (stored) return stored
  for (const wallet of [undefined, publicKey]) {
    const issued = await issuedAt(deps.signingKey, nonce, { ...requester, wallet })
    if (!issued) continue
    const { text, expiresAt } = write(deps, nonce, issued, requester, wallet)
    return { text, expiresAt: expiresAt.getTime(), ...(wallet === undefined ? {} : { wallet }) }
  }
  if (stored === null) return undefined
  const detail = 'The challenge cannot be read now. Try again, or log in on the page that requested it.'
  const cause = new Error('KV did not answer')
  throw new ApiError('dependency_unavailable', detail, { retryAfterSeconds: 2, cause })
}

function write(
  { apiOrigin }: ChallengeDeps,
  nonce: string,
  issuedAt: Date,
  requester: Requester,
  wallet: Wallet | undefined,
) {
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_MS)
  const fields = { ...requester, nonce, issuedAt, expiresAt, service: serviceOf(apiOrigin) }
  const signIn = wallet === undefined ? undefined : signInInput({ ...fields, wallet })
  return { signIn, expiresAt, text: signIn === undefined ? challengeText(fields) : signInText(signIn) }
}
