import type { InferOutput } from 'valibot'
import type { AuthChallenge, AuthSession, JsonWebKeySet } from '../../schema/wire/auth.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { createChallenge } from './challenge.ts'
import type { login } from './login.ts'
import { CHALLENGE_LIFETIME_MS, PROTOCOL, PROTOCOL_VERSION } from './rules.ts'

/**
 * Makes an AuthChallenge: with `expiresAt` (Unix ms), and with the input of a Sign-In-With-Solana challenge.
 */
export const challengeView = (
  challenge: Awaited<ReturnType<typeof createChallenge>>,
): Wire<typeof AuthChallenge> => ({
  protocol: PROTOCOL,
  version: PROTOCOL_VERSION,
  nonce: challenge.nonce,
  challenge: challenge.text,
  expiresIn: CHALLENGE_LIFETIME_MS,
  expiresAt: challenge.expiresAt.getTime(),
  signInInput: challenge.signIn,
})

/** Makes an AuthSession. */
export const sessionView = (session: Awaited<ReturnType<typeof login>>): Wire<typeof AuthSession> => ({
  status: 'AUTHENTICATED',
  sessionToken: session.token,
  tokenType: 'Bearer',
  expiresAt: session.expiresAt,
  publicKey: session.wallet,
  permissions: session.permissions,
})

/** Makes the JSON Web Key Set of session tokens. */
export const keySetView = ({ keys }: InferOutput<typeof JsonWebKeySet>): Wire<typeof JsonWebKeySet> => ({
  keys: keys.map(({ kty, crv, x, kid, alg, use }) => ({ kty, crv, x, kid, alg, use })),
})
