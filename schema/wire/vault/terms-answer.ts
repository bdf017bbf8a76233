import * as v from 'valibot'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const VaultTerms = body(
  'VaultTerms',
  'Mint, keys and rates.',
  {
    mint: [OwnText, 'The staking token’s mint.'],
    decimals: [v.literal(9), 'Its decimals.'],
    tokenProgram: [OwnText, 'The program that holds the escrow.'],
    mintAuthority: [v.optional(OwnText), 'Who may mint more; absent if nobody.'],
    freezeAuthority: [v.optional(OwnText), 'Who may freeze accounts; absent if nobody.'],
    authority: [OwnText, 'The service’s key that cosigns.'],
    recovery: [OwnText, 'The offline key that can take its place.'],
    treasury: [OwnText, 'The token account that pays the yields.'],
    treasuryBalance: [WireAmount, 'Its balance, in base units of CRED.'],
    generation: [v.pipe(v.number(), v.integer()), 'Version number of the current key pair.'],
    terms: [
      v.array(
        v.strictObject({
          lockDays: v.pipe(v.number(), v.integer()),
          apyBps: v.pipe(v.number(), v.integer()),
        }),
      ),
      'Rate of each term.',
    ],
  },
  {
    mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
    decimals: 9,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    mintAuthority: WALLET,
    authority: WALLET,
    recovery: POSITION,
    treasury: VAULT,
    treasuryBalance: 250_000_000_000_000,
    generation: 1,
    terms: [
      { lockDays: 7, apyBps: 800 },
      { lockDays: 365, apyBps: 1600 },
    ],
  },
)
