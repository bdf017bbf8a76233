import * as v from 'valibot'
import { GRANT_ID, WALLET } from '../../examples.ts'
import { grantablePermissions } from '../../values.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { row } from './row.ts'

export const grantEvents = {
  'access.granted':
    DOCS &&
    row({
      data: v.strictObject({
        grantId: WireUuid,
        wallet: v.string(),
        name: v.string(),
        host: v.optional(v.string()),
        permissions: v.array(v.picklist(grantablePermissions)),
        spendLimit: v.optional(WireAmount),
        expiresAt: Timestamp,
      }),
      words: {
        meaning:
          'A client got access to a wallet, with the wallet’s consent. `name` is what the client calls itself; `host` received the access, or without it a program on the wallet’s computer. `spendLimit` is the most that its hires may cost in all, in lamports.',
        log: 'the wallet’s',
        ofAgent: false,
      },
      example: {
        timestamp: '2026-11-20T09:00:00.000Z',
        data: {
          grantId: GRANT_ID,
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
