import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { CONNECTION_ID } from '../../examples.ts'
import { grantKinds } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, Uuid, WireAmount, WireUuid } from '../common.ts'

const Connection = v.strictObject({
  id: WireUuid,
  kind: v.picklist(grantKinds),
  name: UserText,
  host: v.optional(UserText),
  key: v.optional(OwnText),
  permissions: v.array(OwnText),
  spendLimit: v.optional(WireAmount),
  committed: WireAmount,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
})

describe(Connection, {
  name: 'Connection',
  description: 'A program, token or key that may act for the wallet.',
  fields: {
    id: 'To end it.',
    kind: '`app`: a program that asked for access. `key`: an agent with its own key. `token`: a token that the wallet created.',
    name: 'An app’s name, in its own words; of the rest, what the wallet calls it.',
    host: 'Of an app: where its code went, a host or an app’s scheme with its colon (`cursor:`); none for a program on a computer.',
    key: 'Of an agent with its own key: the key, in Base58.',
    permissions: 'What it may do besides reading.',
    spendLimit: 'The most that its hires may cost in total, in lamports.',
    committed: 'The budget limits of its hires so far, in lamports. It never falls.',
    createdAt: 'When it was allowed.',
    lastUsedAt: 'When it last got an access token.',
    expiresAt: 'When it ends.',
  },
})

export const Connections = v.strictObject({ connections: v.array(Connection) })

describe(Connections, {
  name: 'Connections',
  description: 'What may act for the wallet, the last used first. At most 20.',
  fields: { connections: 'The programs, tokens and keys.' },
  example: {
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
})

export const ConnectionPath = v.object({ id: Uuid })
describeParameters(ConnectionPath, { id: 'The connection.' }, { id: CONNECTION_ID })

export const EndedConnection = v.strictObject({ status: v.literal('ENDED') })

describe(EndedConnection, {
  name: 'EndedConnection',
  description: 'The program can no longer act for the wallet.',
  fields: { status: '`ENDED`.' },
  example: { status: 'ENDED' },
})
