import {
  AuthChallenge,
  AuthSession,
  AuthSubmit,
  JsonWebKeySet,
  SignInInput,
} from '../../../schema/wire/auth.ts'
import { NONCE, WALLET } from '../examples.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Authentication' as const

export const operations: Operations = {
  'GET /auth/handshake': {
    id: 'getChallenge',
    tag,
    summary: 'A login challenge',
    description:
      'The text to sign with the wallet, valid for five minutes and for one login. With `publicKey` it is a Sign-In-With-Solana message that only this wallet may answer, and `signInInput` is ready for the wallet’s `solana:signIn`. The domain shown is that of the asking page (its Origin header), else the service’s.',
    parameters: {
      publicKey: { description: 'The wallet that will sign, for Sign-In-With-Solana.', example: WALLET },
    },
    responses: {
      200: {
        description: 'A fresh challenge.',
        schema: 'AuthChallenge',
        example: {
          protocol: 'agentcred-auth',
          version: '2.0.0',
          nonce: NONCE,
          challenge: `AgentCred login\n\nSign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.\n\nDomain: app.example.com\nNonce: ${NONCE}\nIssued At: 2026-11-20T09:00:00.000Z\nExpires At: 2026-11-20T09:05:00.000Z`,
          expiresIn: 300000,
          expiresAt: 1795165500000,
        },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /auth/handshake': {
    id: 'login',
    tag,
    summary: 'Log in with a signed challenge',
    description:
      'Exchanges a signature over the exact challenge text (or over that text in Solana’s off-chain message envelope, as hardware wallets sign it) for a session token of 24 hours. A nonce works once.',
    request: {
      nonce: NONCE,
      signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      publicKey: WALLET,
    },
    responses: {
      200: {
        description: 'The session.',
        schema: 'AuthSession',
        example: {
          status: 'AUTHENTICATED',
          sessionToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6InNlc3Npb24rand0Iiwia2lkIjoi…',
          tokenType: 'Bearer',
          expiresAt: 1795251600000,
          publicKey: WALLET,
          permissions: [
            'agents:register',
            'agents:hire',
            'vault:transact',
            'reputation:attest',
            'reputation:verify',
          ],
        },
      },
    },
    errors: ['login_refused', 'dependency_unavailable'],
  },
  'GET /auth/jwks.json': {
    id: 'getSessionKeys',
    tag,
    summary: 'The public keys of session tokens',
    description: 'A JSON Web Key Set (RFC 7517). While one key replaces another, both are in it.',
    responses: {
      200: {
        description: 'The keys.',
        schema: 'JsonWebKeySet',
        example: {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              kid: '01938f3e-0000-7000-8000-000000000000',
              alg: 'EdDSA',
              use: 'sig',
            },
          ],
        },
      },
    },
    errors: [],
  },
}

export const components: Components = {
  AuthSubmit: {
    schema: AuthSubmit,
    description: 'A signed challenge.',
    fields: {
      nonce: 'The nonce of the challenge.',
      signature: 'The wallet’s Ed25519 signature of the challenge, in Base58.',
      publicKey: 'The wallet’s public key, in Base58.',
      agentId:
        'An agent of this wallet to name in the token. Left out of the token when the agent is not the wallet’s.',
    },
  },
  SignInInput: {
    schema: SignInInput,
    description: 'Input of a wallet’s `solana:signIn` (Sign-In-With-Solana).',
    fields: {
      domain: 'Host of the asking page.',
      address: 'The wallet.',
      statement: 'What the user agrees to.',
      uri: 'Origin of the asking page.',
      version: 'Version of the message format.',
      nonce: 'The nonce of the challenge.',
      issuedAt: 'RFC 3339.',
      expirationTime: 'RFC 3339.',
    },
  },
  AuthChallenge: {
    schema: AuthChallenge,
    description: 'A login challenge.',
    fields: {
      protocol: 'Identifies the login protocol: `agentcred-auth`.',
      version: 'Version of the login protocol.',
      nonce: 'To be sent back with the signature; 128 random bits in hexadecimal.',
      challenge: 'The exact text to sign (UTF-8).',
      expiresIn: 'Milliseconds until the challenge expires.',
      expiresAt: 'When it expires, in Unix milliseconds.',
      signInInput: 'For a Sign-In-With-Solana challenge, what to hand to the wallet.',
    },
  },
  AuthSession: {
    schema: AuthSession,
    description: 'A session.',
    fields: {
      status: '`AUTHENTICATED`.',
      sessionToken: 'JWT (EdDSA) for the Authorization header.',
      tokenType: '`Bearer`.',
      expiresAt: 'When the session ends, in Unix milliseconds: 24 hours after the login.',
      publicKey: 'The wallet.',
      permissions:
        'What the session may do: agents:register, agents:hire, vault:transact, reputation:attest, reputation:verify; for configured wallets also oracle:decide, agents:moderate.',
    },
  },
  JsonWebKeySet: {
    schema: JsonWebKeySet,
    description: 'Public keys (RFC 7517, RFC 8037).',
    fields: { keys: 'Ed25519 keys, told apart by `kid`.' },
  },
}
