import { describe, expect, it } from 'vitest'
import type { CosignError } from '../../../lib/transactions/cosigning/errors.ts'
import { mint, position, source, vault } from '../../support/cosigning.ts'
import { addWritable, indexIn, insertKey, type RawMessage } from '../../support/raw-message.ts'
import {
  type Change,
  changed,
  claim,
  errorOf,
  guardIn,
  insert,
  LIGHTHOUSE,
  ownerKey,
  stack,
  stranger,
  TOKEN,
} from '../../support/tampering.ts'

/** Moves an account to another place, and every index with it. */
function move(message: RawMessage, from: number, to: number): void {
  const [key = ''] = message.keys.splice(from, 1)
  message.keys.splice(to, 0, key)
  const old = message.keys.map((_, index) => index)
  const [moved = 0] = old.splice(from, 1)
  old.splice(to, 0, moved)
  for (const one of message.instructions) {
    one.program = old.indexOf(one.program)
    one.accounts = one.accounts.map((index) => old.indexOf(index))
  }
}

describe('the accounts of a message', () => {
  const attacks: [string, CosignError, Change][] = [
    [
      'another fee payer before the owner',
      'other_signers',
      (message) => {
        insertKey(message, stranger, 0)
        message.header[0] += 1
      },
    ],
    [
      'a second signer beside them, readonly',
      'other_signers',
      (message) => {
        insertKey(message, stranger, 2)
        message.header[0] += 1
        message.header[1] += 1
      },
    ],
    [
      'the position as a signer',
      'other_signers',
      (message) => {
        move(message, message.keys.indexOf(position), 1)
        message.header[0] += 1
      },
    ],
    [
      'a stranger in the place of the authority',
      'other_signers',
      (message) => {
        message.keys[1] = stranger
      },
    ],
    ['owner and authority in each other’s places', 'other_signers', (message) => move(message, 0, 1)],
    [
      'the authority writable',
      'other_writable_accounts',
      (message) => {
        message.header[1] = 0
      },
    ],
    [
      'the authority not as a signer',
      'other_signers',
      (message) => {
        message.header[0] = 1
        message.header[1] = 0
        move(message, 1, message.keys.length - 1)
        message.header[2] += 1
      },
    ],
    [
      'one more writable account',
      'other_writable_accounts',
      (message) => void addWritable(message, stranger),
    ],
    [
      'one more writable account that a guard names',
      'other_writable_accounts',
      (message) => guardIn(message).accounts.push(addWritable(message, stranger)),
    ],
    [
      'a readonly account made writable',
      'other_writable_accounts',
      (message) => {
        move(message, message.keys.indexOf(vault), message.keys.length - message.header[2])
        message.header[2] -= 1
      },
    ],
    [
      'a writable account made readonly',
      'other_writable_accounts',
      (message) => {
        message.header[2] += 1
      },
    ],
    [
      'an account that no instruction names',
      'account_not_used',
      (message) => void indexIn(message, stranger),
    ],
    [
      'an account twice',
      'malformed',
      (message) => {
        message.keys.push(mint)
        message.header[2] += 1
      },
    ],
    [
      'an account twice, the first of them unused',
      'malformed',
      (message) => {
        insertKey(message, mint, message.keys.indexOf(mint))
        message.header[2] += 1
      },
    ],
    [
      'the fee payer as readonly',
      'malformed',
      (message) => {
        message.header[1] = 2
      },
    ],
    [
      'more readonly accounts than there are',
      'malformed',
      (message) => {
        message.header[2] = 200
      },
    ],
  ]

  it.each(attacks)('with %s: %s', async (_, error, change) => {
    expect(await errorOf(claim, changed(claim, change))).toBe(error)
  })

  it('may be in another order within their roles', async () => {
    const submitted = changed(stack, (message) => {
      move(message, 2, 3)
      move(message, message.keys.length - 1, message.keys.length - 3)
    })
    expect(await errorOf(stack, submitted)).toBeUndefined()
  })

  it('may be named by a guard, if they are the wallet’s own or the mint', async () => {
    const naming = (account: string) =>
      changed(claim, (message) => insert(message, 0, LIGHTHOUSE, [account], [5, 0]))
    for (const account of [ownerKey, position, source, vault, mint]) {
      expect(await errorOf(claim, naming(account)), account).toBeUndefined()
    }
    for (const account of [TOKEN, stranger]) {
      expect(await errorOf(claim, naming(account)), account).toBe('guard_names_others')
    }
  })
})
