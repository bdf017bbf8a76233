import * as v from 'valibot'
import { AGENT_KEY, CONNECTION_ID, NONCE, SIGNATURE, WALLET } from '../../examples.ts'
import { grantablePermissions } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { signedChallenge } from '../auth.ts'
import { body } from '../body.ts'
import { Amount, Timestamp, WalletAddress, WireUuid } from '../common.ts'
import { Name } from '../text.ts'

// Connections that a wallet creates by itself: a token to copy, and access for an agent with its own key.

/** How a connection that the wallet creates proves itself: by a token, or by an Ed25519 key of its holder. */
const newKinds = ['token', 'key'] as const

/** How long such a connection can last, in days. A token lasts at most 30. */
const newDays = [1, 7, 30, 90] as const

const choices = {
  kind: [
    v.picklist(newKinds),
    '`token`: whoever has the token may act. `key`: whoever has the private key of `key` may act.',
  ],
  name: [Name(1, 60), 'What the wallet calls it. The signed text does not have it.'],
  permissions: [
    v.pipe(v.array(v.picklist(grantablePermissions)), v.maxLength(grantablePermissions.length)),
    'What it may do besides reading.',
  ],
  spendLimit: [
    v.optional(Amount),
    'The most that its hires may cost in total, in lamports: the sum of their budget limits. Only with `agents:hire`. Without it, budgets have no common limit.',
  ],
  days: [v.picklist(newDays), 'When it ends: after 1, 7 or 30 days; with a key also after 90.'],
  key: [
    v.optional(WalletAddress),
    'For the kind `key`: the agent’s Ed25519 public key, in Base58. Never the wallet’s own.',
  ],
} as const

const EXAMPLE = {
  kind: 'key' as const,
  name: 'My research agent',
  permissions: ['agents:hire' as const],
  spendLimit: 5_000_000_000,
  days: 30 as const,
  key: AGENT_KEY,
  publicKey: WALLET,
}

/** Body of POST /oauth/grants/challenge. */
export const NewConnectionChoices = body(
  'NewConnectionChoices',
  'What a wallet will allow a token or a key.',
  { ...choices, publicKey: [WalletAddress, 'The wallet, in Base58.'] },
  EXAMPLE,
)

/** Body of POST /oauth/grants. */
export const ConnectionConsent = body(
  'ConnectionConsent',
  'A wallet’s signed consent to a token or a key.',
  { ...choices, ...signedChallenge },
  { ...EXAMPLE, nonce: NONCE, signature: SIGNATURE },
)

export const CreatedConnection = body(
  'CreatedConnection',
  'A new connection.',
  {
    id: [WireUuid, 'The connection.'],
    token: [
      v.optional(OwnText),
      'Of the kind `token`: the access token for the MCP server. It is shown once.',
    ],
    clientId: [
      v.optional(OwnText),
      'Of the kind `key`: the client id, with which the key gets access tokens at POST /oauth/token (`client_credentials`, `private_key_jwt` with EdDSA).',
    ],
    expiresAt: [Timestamp, 'When the connection ends.'],
  },
  {
    id: CONNECTION_ID,
    clientId: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImtleStqd3QifQ…',
    expiresAt: '2026-12-27T09:00:00.000Z',
  },
)
