import type { Wallet } from '../../schema/wallet.ts'
import { randomHex } from '../crypto/random.ts'
import { challengeText, type Requester, signInInput, signInText } from './messages.ts'
import { storeChallenge } from './nonces.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

const NONCE_BYTES = 16

/**
 * Makes a login challenge and remembers it under its nonce for five minutes.
 * @param input.publicKey makes the challenge a Sign-In-With-Solana message that only this wallet may answer
 */
export async function createChallenge(
  deps: { nonces: KVNamespace; now: Date },
  input: { requester: Requester; publicKey?: Wallet | undefined },
) {
  // Sign-In-With-Solana accepts 8 or more alphanumeric characters as a nonce.
  const nonce = randomHex(NONCE_BYTES)
  const expiresAt = new Date(deps.now.getTime() + CHALLENGE_LIFETIME_MS)
  const fields = { ...input.requester, nonce, issuedAt: deps.now, expiresAt }
  const wallet = input.publicKey
  const signIn = wallet === undefined ? undefined : signInInput({ ...fields, wallet })
  const text = signIn === undefined ? challengeText(fields) : signInText(signIn)
  await storeChallenge(deps.nonces, nonce, {
    text,
    expiresAt: expiresAt.getTime(),
    ...(wallet === undefined ? {} : { wallet }),
  })
  return { nonce, text, expiresAt, signIn }
}
