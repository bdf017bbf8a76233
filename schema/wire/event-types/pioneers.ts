import * as v from 'valibot'
import { OTHER_WALLET, WALLET } from '../../examples.ts'
import { pioneerTiers } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { row } from './row.ts'

export const pioneerEvents = {
  'pioneer.joined': row({
    data: v.strictObject({
      wallet: OwnText,
      tier: v.picklist(pioneerTiers),
      referrer: v.optional(OwnText),
    }),
    words: {
      meaning: 'A wallet became a pioneer. `referrer` is the wallet that earned a bounty for it.',
      log: 'the pioneer’s and the referrer’s',
      ofAgent: false,
    },
    example: {
      timestamp: '2026-11-20T11:00:00.000Z',
      data: { wallet: WALLET, tier: 'founding', referrer: OTHER_WALLET },
    },
  }),
}
