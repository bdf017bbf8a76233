import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

const version = v.pipe(v.number(), v.integer())

export const Deployment = v.strictObject({
  mint: OwnText,
  feeBps: v.pipe(v.number(), v.integer()),
  treasury: OwnText,
  vaultKeys: v.array(v.strictObject({ version, authority: OwnText, recovery: OwnText })),
  paymentKeys: v.array(v.strictObject({ version, authority: OwnText })),
})

describe(Deployment, {
  name: 'Deployment',
  description: 'What a client compares transactions with before its wallet signs them.',
  fields: {
    mint: 'The mint of CRED.',
    feeBps: 'The protocol fee on collections, in basis points.',
    treasury: 'The token account that receives the fee: of the newest vault authority.',
    vaultKeys:
      'The keys in vaults by version, the oldest first: `authority` cosigns, and the offline `recovery` can take its place. A rotation adds a version, and never changes one.',
    paymentKeys: 'The keys that cosign collections and purchases of credit, by version, the oldest first.',
  },
  example: {
    mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
    feeBps: 100,
    treasury: VAULT,
    vaultKeys: [{ version: 1, authority: WALLET, recovery: POSITION }],
    paymentKeys: [{ version: 1, authority: POSITION }],
  },
})
