import * as v from 'valibot'
import { CONNECTION_ID } from '../../examples.ts'
import { grantKinds } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body, parameters } from '../body.ts'
import { Timestamp, Uuid, WireAmount, WireUuid } from '../common.ts'

const Connection = body('Connection', 'A program, token or key that may act for the wallet.', {
  id: [WireUuid, 'To end it.'],
  kind: [
    v.picklist(grantKinds),
    '`app`: a program that asked for access. `key`: an agent with its own key. `token`: a token that the wallet created.',
  ],
  name: [UserText, 'An app’s name, in its own words; of the rest, what the wallet calls it.'],
  host: [
    v.optional(UserText),
    'Of an app: where its code went, a host or an app’s scheme with its colon (`cursor:`); none for a program on a computer.',
  ],
  key: [v.optional(OwnText), 'Of an agent with its own key: the key, in Base58.'],
  permissions: [v.array(OwnText), 'What it may do besides reading.'],
  spendLimit: [v.optional(WireAmount), 'The most that its hires may cost in total, in lamports.'],
  committed: [WireAmount, 'The budget limits of its hires so far, in lamports. It never falls.'],
  createdAt: [Timestamp, 'When it was allowed.'],
  lastUsedAt: [Timestamp, 'When it last got an access token.'],
  expiresAt: [Timestamp, 'When it ends.'],
})

export const Connections = body(
  'Connections',
  'What may act for the wallet, the last used first. At most 20.',
  { connections: [v.array(Connection), 'The programs, tokens and keys.'] },
  {
    connections: [
      {
        id: CONNECTION_ID,
        kind: 'app',
        name: 'Example Assistant',
        host: 'app.example.com',
        permissions: ['agents:hire'],
        spendLimit: 5_000_000_000,
        committed: 1_000_000_000,
        createdAt: '2026-11-27T09:00:00.000Z',
        lastUsedAt: '2026-11-27T13:00:00.000Z',
        expiresAt: '2026-12-27T09:00:00.000Z',
      },
    ],
  },
)

export const ConnectionPath = parameters({ id: [Uuid, 'The connection.'] }, { id: CONNECTION_ID })

export const EndedConnection = body(
  'EndedConnection',
  'The program can no longer act for the wallet.',
  { status: [v.literal('ENDED'), '`ENDED`.'] },
  { status: 'ENDED' },
)
