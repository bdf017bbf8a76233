import * as v from 'valibot'
import { WalletAddress } from './common.ts'

/** Query of GET /auth/handshake: with a key, the challenge is a Sign-In-With-Solana message for that wallet. */
export const ChallengeQuery = v.object({ publicKey: v.optional(WalletAddress) })

/** Body of POST /auth/handshake. Any strings are well-formed here: what does not verify is 401, not 400. */
export const AuthSubmit = v.strictObject({
  nonce: v.string(),
  signature: v.string(),
  publicKey: v.string(),
  agentId: v.optional(v.pipe(v.string(), v.maxCodePoints(64))),
})

/** The input of a wallet's `solana:signIn` (Sign-In-With-Solana). */
export const SignInInput = v.strictObject({
  domain: v.string(),
  address: v.string(),
  statement: v.string(),
  uri: v.string(),
  version: v.literal('1'),
  nonce: v.string(),
  issuedAt: v.string(),
  expirationTime: v.string(),
})

export const AuthChallenge = v.strictObject({
  protocol: v.string(),
  version: v.string(),
  nonce: v.string(),
  challenge: v.string(),
  expiresIn: v.pipe(v.number(), v.integer()),
  expiresAt: v.pipe(v.number(), v.integer()),
  signInInput: v.optional(SignInInput),
})

export const AuthSession = v.strictObject({
  status: v.literal('AUTHENTICATED'),
  sessionToken: v.string(),
  tokenType: v.literal('Bearer'),
  expiresAt: v.pipe(v.number(), v.integer()),
  publicKey: v.string(),
  permissions: v.array(v.string()),
})

export const JsonWebKeySet = v.strictObject({
  keys: v.array(
    v.strictObject({
      kty: v.literal('OKP'),
      crv: v.literal('Ed25519'),
      x: v.string(),
      kid: v.string(),
      alg: v.literal('EdDSA'),
      use: v.literal('sig'),
    }),
  ),
})
