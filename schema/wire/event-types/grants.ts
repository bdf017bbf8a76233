import * as v from 'valibot'
import { GRANT_ID, WALLET } from '../../examples.ts'
import { grantablePermissions, grantKinds } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { row } from './row.ts'

export const grantEvents = {
  'access.granted': row({
    data: v.strictObject({
      grantId: WireUuid,
      kind: v.picklist(grantKinds),
      wallet: OwnText,
      name: UserText,
      host: v.optional(UserText),
      permissions: v.array(v.picklist(grantablePermissions)),
      spendLimit: v.optional(WireAmount),
      expiresAt: Timestamp,
    }),
    words: {
      meaning:
        'A client got access to a wallet, with the wallet’s consent. `kind` is `app` for a program that asked for it, `key` for an agent with its own key, `token` for a token that the wallet created. `name` is what an app calls itself, or the wallet’s name for the rest. `host` received an app’s access, or without it a program on the wallet’s computer. `spendLimit` is the most that its hires may cost in all, in lamports.',
      log: 'the wallet’s',
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-20T09:00:00.000Z',
      data: {
        grantId: GRANT_ID,
        kind: 'app',
        wallet: WALLET,
        name: 'Yield Desk',
        host: 'app.example.com',
        permissions: ['agents:hire'],
        spendLimit: 20_000_000_000,
        expiresAt: '2026-12-20T09:00:00.000Z',
      },
    },
  }),
}
