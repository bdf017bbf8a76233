import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const Balances = v.strictObject({ sol: WireAmount, cred: WireAmount })

describe(Balances, {
  name: 'Balances',
  description: 'What a wallet can spend.',
  fields: {
    sol: 'Lamports: billionths of a SOL.',
    cred: 'Base units of CRED: billionths of a CRED.',
  },
  example: { sol: 1_250_000_000, cred: 72_500_000_000 },
})
