import { body } from '../body.ts'
import { WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const Balances = body(
  'Balances',
  'What a wallet can spend.',
  {
    sol: [WireAmount, 'Lamports: billionths of a SOL.'],
    cred: [WireAmount, 'Base units of CRED: billionths of a CRED.'],
  },
  { sol: 1_250_000_000, cred: 72_500_000_000 },
)
