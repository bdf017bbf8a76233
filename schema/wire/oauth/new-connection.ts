import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { AGENT_KEY, CONNECTION_ID, NONCE, SIGNATURE, WALLET } from '../../examples.ts'
import { grantablePermissions } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { signedChallenge } from '../auth.ts'
import { Amount, Timestamp, WalletAddress, WireUuid } from '../common.ts'
import { Name } from '../text.ts'

// Connections that a wallet creates by itself: a token to copy, and access for an agent with its own key.

/** How a connection that the wallet creates proves itself: by a token, or by an Ed25519 key of its holder. */
const newKinds = ['token', 'key'] as const

/** How long such a connection can last, in days. A token lasts at most 30. */
const newDays = [1, 7, 30, 90] as const

const choices = {
  kind: v.picklist(newKinds),
  name: Name(1, 60),
  permissions: v.pipe(v.array(v.picklist(grantablePermissions)), v.maxLength(grantablePermissions.length)),
  spendLimit: v.optional(Amount),
  days: v.picklist(newDays),
  key: v.optional(WalletAddress),
}

/** Body of POST /oauth/grants/challenge. */
export const NewConnectionChoices = v.strictObject({ ...choices, publicKey: WalletAddress })

const choiceDocs = {
  kind: '`token`: whoever has the token may act. `key`: whoever has the private key of `key` may act.',
  name: 'What the wallet calls it. The signed text does not have it.',
  permissions: 'What it may do besides reading.',
  spendLimit:
    'The most that its hires may cost in total, in lamports: the sum of their budget limits. Only with `agents:hire`. Without it, budgets have no common limit.',
  days: 'When it ends: after 1, 7 or 30 days; with a key also after 90.',
  key: 'For the kind `key`: the agent’s Ed25519 public key, in Base58. Never the wallet’s own.',
  publicKey: 'The wallet, in Base58.',
}

const EXAMPLE = {
  kind: 'key' as const,
  name: 'My research agent',
  permissions: ['agents:hire' as const],
  spendLimit: 5_000_000_000,
  days: 30 as const,
  key: AGENT_KEY,
  publicKey: WALLET,
}

describe(NewConnectionChoices, {
  name: 'NewConnectionChoices',
  description: 'What a wallet will allow a token or a key.',
  fields: choiceDocs,
  example: EXAMPLE,
})

/** Body of POST /oauth/grants. */
export const ConnectionConsent = v.strictObject({ ...choices, ...signedChallenge })

describe(ConnectionConsent, {
  name: 'ConnectionConsent',
  description: 'A wallet’s signed consent to a token or a key.',
  fields: {
    ...choiceDocs,
    nonce: 'The nonce of the challenge.',
    signature: 'The wallet’s signature of the challenge, in Base58.',
    signedMessage:
      'The bytes that the wallet signed, in Base64, if it signed an off-chain message; as for a login.',
  },
  example: { ...EXAMPLE, nonce: NONCE, signature: SIGNATURE },
})

export const CreatedConnection = v.strictObject({
  id: WireUuid,
  token: v.optional(OwnText),
  clientId: v.optional(OwnText),
  expiresAt: Timestamp,
})

describe(CreatedConnection, {
  name: 'CreatedConnection',
  description: 'A new connection.',
  fields: {
    id: 'The connection.',
    token: 'Of the kind `token`: the access token for the MCP server. It is shown once.',
    clientId:
      'Of the kind `key`: the client id, with which the key gets access tokens at POST /oauth/token (`client_credentials`, `private_key_jwt` with EdDSA).',
    expiresAt: 'When the connection ends.',
  },
  example: {
    id: CONNECTION_ID,
    clientId: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImtleStqd3QifQ…',
    expiresAt: '2026-12-27T09:00:00.000Z',
  },
})
