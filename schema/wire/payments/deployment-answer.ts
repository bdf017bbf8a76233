import * as v from 'valibot'
import { POSITION, VAULT, WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

const version = v.pipe(v.number(), v.integer())

export const Deployment = body(
  'Deployment',
  'What a client compares transactions with before its wallet signs them.',
  {
    mint: [OwnText, 'The mint of CRED.'],
    feeBps: [v.pipe(v.number(), v.integer()), 'The protocol fee on collections, in basis points.'],
    treasury: [OwnText, 'The token account that receives the fee: of the newest vault authority.'],
    vaultKeys: [
      v.array(v.strictObject({ version, authority: OwnText, recovery: OwnText })),
      'The keys in vaults by version, the oldest first: `authority` cosigns, and the offline `recovery` can take its place. A rotation adds a version, and never changes one.',
    ],
    paymentKeys: [
      v.array(v.strictObject({ version, authority: OwnText })),
      'The keys that cosign collections and purchases of credit, by version, the oldest first.',
    ],
  },
  {
    mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
    feeBps: 100,
    treasury: VAULT,
    vaultKeys: [{ version: 1, authority: WALLET, recovery: POSITION }],
    paymentKeys: [{ version: 1, authority: POSITION }],
  },
)
