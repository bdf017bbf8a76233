import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import type { CosignError } from '../../../lib/transactions/cosigning/errors.ts'
import { mint, position, source, treasury } from '../../support/cosigning.ts'
import { ASSERTIONS } from '../../support/cosigning-oracle.ts'
import {
  authorityKey,
  type Change,
  changed,
  claim,
  errorOf,
  insert,
  LIGHTHOUSE,
  ownerKey,
  stack,
  stranger,
  vaultOpening,
} from '../../support/tampering.ts'

const SYSTEM = '11111111111111111111111111111111'

describe('guards', () => {
  it.each(Array.from({ length: 256 }, (_, index) => index))('of index %d', async (index) => {
    for (const [recorded, at] of [
      [claim, 0],
      [stack, 3],
      [vaultOpening, -1],
    ] as const) {
      const submitted = changed(
        recorded,
        (message) => insert(message, at, LIGHTHOUSE, [ownerKey], [index, 0, 0]),
        {},
      )
      const error = ASSERTIONS.includes(index) ? undefined : 'guard_not_allowed'
      expect(await errorOf(recorded, submitted)).toBe(error)
    }
  })

  const attacks: [string, CosignError, Change][] = [
    ['without an index', 'guard_not_allowed', (message) => insert(message, 0, LIGHTHOUSE, [], [])],
    [
      'that write memory, paid by the owner',
      'guard_not_allowed',
      (message) =>
        insert(message, 0, LIGHTHOUSE, [LIGHTHOUSE, SYSTEM, ownerKey, source, position], [0, 1, 255, 0, 0]),
    ],
    [
      'that name the authority',
      'guard_names_others',
      (message) => insert(message, 0, LIGHTHOUSE, [authorityKey], [5, 0]),
    ],
    [
      'that name the authority behind others',
      'guard_names_others',
      (message) => insert(message, -1, LIGHTHOUSE, [ownerKey, position, authorityKey], [5, 0]),
    ],
    [
      'that name an account of nobody’s in the transaction, such as a vote account',
      'guard_names_others',
      (message) => insert(message, 0, LIGHTHOUSE, [stranger], [5, 0]),
    ],
    [
      'that name a sysvar, or a program that the transaction calls',
      'guard_names_others',
      (message) => insert(message, 0, LIGHTHOUSE, [TOKEN_PROGRAM], [5, 0]),
    ],
    ['of the clock', 'guard_not_allowed', (message) => insert(message, 0, LIGHTHOUSE, [ownerKey], [15, 0])],
    [
      'beyond eight',
      'too_many_guards',
      (message) => {
        for (let more = 0; more < 5; more += 1) insert(message, more, LIGHTHOUSE, [ownerKey], [5, 0])
      },
    ],
    [
      'of another program with Lighthouse’s data',
      'other_instructions',
      (message) => insert(message, 0, stranger, [ownerKey], [5, 0]),
    ],
    [
      'of Lighthouse’s first version, at another address',
      'other_instructions',
      (message) => insert(message, 0, 'L1TEVtgA75k273wWz1s6XMmDhQY5i3MwcvKb4VbZzfK', [ownerKey], [5, 0]),
    ],
  ]

  it.each(attacks)('%s: %s', async (_, error, change) => {
    expect(await errorOf(claim, changed(claim, change))).toBe(error)
  })

  it('of a stack name the mint and what is the wallet’s own, not the treasury', async () => {
    const naming = (account: string) =>
      changed(stack, (message) => insert(message, 0, LIGHTHOUSE, [account], [5, 0]))
    for (const account of [source, position, mint, ownerKey])
      expect(await errorOf(stack, naming(account))).toBeUndefined()
    expect(await errorOf(stack, naming(treasury))).toBe('guard_names_others')
  })

  it('may be eight, anywhere', async () => {
    const submitted = changed(claim, (message) => {
      for (let more = 0; more < 4; more += 1) insert(message, more * 2, LIGHTHOUSE, [ownerKey], [5, 0])
    })
    expect(await errorOf(claim, submitted)).toBeUndefined()
  })
})
