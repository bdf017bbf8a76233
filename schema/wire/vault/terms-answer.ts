import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { WireAmount } from '../common.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const VaultTerms = v.strictObject({
  mint: OwnText,
  decimals: v.literal(9),
  tokenProgram: OwnText,
  mintAuthority: v.optional(OwnText),
  freezeAuthority: v.optional(OwnText),
  authority: OwnText,
  recovery: OwnText,
  treasury: OwnText,
  treasuryBalance: WireAmount,
  generation: v.pipe(v.number(), v.integer()),
  terms: v.array(
    v.strictObject({ lockDays: v.pipe(v.number(), v.integer()), apyBps: v.pipe(v.number(), v.integer()) }),
  ),
})

describe(VaultTerms, {
  name: 'VaultTerms',
  description: 'Mint, keys and rates.',
  fields: {
    mint: 'The staking token’s mint.',
    decimals: 'Its decimals.',
    tokenProgram: 'The program that holds the escrow.',
    mintAuthority: 'Who may mint more; absent if nobody.',
    freezeAuthority: 'Who may freeze accounts; absent if nobody.',
    authority: 'The service’s key that cosigns.',
    recovery: 'The offline key that can take its place.',
    treasury: 'The token account that pays the yields.',
    treasuryBalance: 'Its balance, in base units of CRED.',
    generation: 'Version number of the current key pair.',
    terms: 'Rate of each term.',
  },
  example: {
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
})
