import * as v from 'valibot'
import { constrain } from '../docs.ts'
import { NONCE, SIGNATURE, WALLET } from '../examples.ts'
import { figure } from '../figures.ts'
import { BASE58_OF_32_BYTES } from '../patterns.ts'
import { permissions } from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Signature, WalletAddress } from './common.ts'
import { Ed25519Keys } from './key-set.ts'
import { Opaque, storableOrEmpty } from './text.ts'

/**
 * Query of GET /auth/handshake. With a key, the challenge is a Sign-In-With-Solana message for that wallet.
 */
export const ChallengeQuery = parameters(
  { publicKey: [v.optional(WalletAddress), 'The wallet that will sign, for Sign-In-With-Solana.'] },
  { publicKey: WALLET },
)

/** The largest signed message: a challenge in an envelope has about 700 bytes. */
const MAX_SIGNED_MESSAGE_BYTES = 1500

const SignedMessage = v.string()
constrain(SignedMessage, { pattern: '^[A-Za-z0-9+/]+={0,2}$' })

/**
 * The members of a signed challenge. Any texts are accepted here: a signature that does not verify is 401,
 * not 400.
 */
export const signedChallenge = {
  nonce: [Opaque('^[0-9a-f]+$'), 'The nonce of the challenge.'],
  signature: [Signature, 'The wallet’s signature of the challenge, in Base58.'],
  publicKey: [Opaque(BASE58_OF_32_BYTES.source), 'The wallet, in Base58.'],
  signedMessage: [
    v.optional(v.pipe(SignedMessage, v.maxCodePoints((MAX_SIGNED_MESSAGE_BYTES / 3) * 4), storableOrEmpty)),
    'The bytes that the wallet signed, in Base64, if it signed an off-chain message; as for a login.',
  ],
} as const

/** Body of POST /auth/handshake. */
export const AuthSubmit = body(
  'AuthSubmit',
  'A signed challenge.',
  {
    nonce: signedChallenge.nonce,
    signature: [Signature, 'The wallet’s Ed25519 signature of the challenge, in Base58.'],
    publicKey: [signedChallenge.publicKey[0], 'The wallet’s public key, in Base58.'],
    signedMessage: [
      signedChallenge.signedMessage[0],
      [
        'The bytes that the wallet signed (its `signedMessage` or `signedOffchainMessage`), in Base64: the challenge as it is, or in Solana’s off-chain message format of version 0 (any application domain) or 1, with `publicKey` as the only signer.',
        `At most ${figure(MAX_SIGNED_MESSAGE_BYTES)} bytes.`,
        'Optional, but needed for an application domain.',
      ].join(' '),
    ],
    agentId: [
      v.optional(v.pipe(v.string(), v.maxCodePoints(64), storableOrEmpty)),
      'An agent of this wallet to name in the token. Ignored if the wallet does not own the agent.',
    ],
    permissions: [
      v.optional(v.pipe(v.array(v.picklist(permissions)), v.maxLength(permissions.length))),
      'Limits the session to these permissions, for a program that needs only some. Permissions that the wallet does not have are ignored; the answer lists the granted ones.',
    ],
  },
  { nonce: NONCE, signature: SIGNATURE, publicKey: WALLET },
)

/** The input of a wallet's `solana:signIn` (Sign-In-With-Solana). */
const SignInInput = body('SignInInput', 'Input of a wallet’s `solana:signIn` (Sign-In-With-Solana).', {
  domain: [UserText, 'Host of the requesting page.'],
  address: [OwnText, 'The wallet.'],
  statement: [OwnText, 'What the user agrees to.'],
  uri: [UserText, 'Origin of the requesting page.'],
  version: [v.literal('1'), 'Version of the message format.'],
  nonce: [OwnText, 'The nonce of the challenge.'],
  issuedAt: [OwnText, 'RFC 3339.'],
  expirationTime: [OwnText, 'RFC 3339.'],
  resources: [
    v.optional(v.array(OwnText)),
    'Of a login: the base URL of this service, alone. Sign no login that names another service.',
  ],
})

export const AuthChallenge = body(
  'AuthChallenge',
  'A login challenge.',
  {
    protocol: [OwnText, 'Identifies the login protocol: `agentcred-auth`.'],
    version: [OwnText, 'Version of the login protocol.'],
    nonce: [OwnText, 'Send it back with the signature; 128 random bits in hexadecimal.'],
    challenge: [OwnText, 'The exact text to sign (UTF-8).'],
    expiresIn: [v.pipe(v.number(), v.integer()), 'Milliseconds until the challenge expires.'],
    expiresAt: [v.pipe(v.number(), v.integer()), 'When it expires, in Unix milliseconds.'],
    signInInput: [v.optional(SignInInput), 'For a Sign-In-With-Solana challenge, the input for the wallet.'],
  },
  {
    protocol: 'agentcred-auth',
    version: '2.0.0',
    nonce: NONCE,
    challenge: `AgentCred login\n\nSign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.\n\nService: https://api.agentcred.example/v1\nDomain: app.example.com\nNonce: ${NONCE}\nIssued At: 2026-11-20T09:00:00.000Z\nExpires At: 2026-11-20T09:05:00.000Z`,
    expiresIn: 300000,
    expiresAt: 1795165500000,
  },
)

export const AuthSession = body(
  'AuthSession',
  'A session.',
  {
    status: [v.literal('AUTHENTICATED'), '`AUTHENTICATED`.'],
    sessionToken: [OwnText, 'JWT (EdDSA) for the Authorization header.'],
    tokenType: [v.literal('Bearer'), '`Bearer`.'],
    expiresAt: [
      v.pipe(v.number(), v.integer()),
      'When the session ends, in Unix milliseconds: 24 hours after the login.',
    ],
    publicKey: [OwnText, 'The wallet.'],
    permissions: [
      v.array(OwnText),
      'What the session may do: agents:register, agents:hire, agents:charge, vault:transact, jobs:use, jobs:decide, jobs:judge, reputation:attest, reputation:verify; for configured wallets also oracle:decide, agents:moderate.',
    ],
  },
  {
    status: 'AUTHENTICATED',
    sessionToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6InNlc3Npb24rand0Iiwia2lkIjoi…',
    tokenType: 'Bearer',
    expiresAt: 1795251600000,
    publicKey: WALLET,
    permissions: [
      'agents:register',
      'agents:hire',
      'agents:charge',
      'vault:transact',
      'jobs:use',
      'jobs:decide',
      'jobs:judge',
      'reputation:attest',
      'reputation:verify',
    ],
  },
)

export const RevokedSessions = body(
  'RevokedSessions',
  'All sessions of the wallet have ended.',
  { status: [v.literal('REVOKED'), '`REVOKED`.'] },
  { status: 'REVOKED' },
)

export const JsonWebKeySet = body(
  'JsonWebKeySet',
  'Public keys (RFC 7517, RFC 8037).',
  { keys: [Ed25519Keys, 'Ed25519 keys, identified by `kid`.'] },
  {
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
)
