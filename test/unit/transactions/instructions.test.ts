import { describe, expect, it } from 'vitest'
import { u32, u64 } from '../../../lib/keys/bytes.ts'
import { mint, position, source, treasury, vault } from '../../support/cosigning.ts'
import { indexIn, type RawMessage } from '../../support/raw-message.ts'
import {
  authorityKey,
  type Change,
  callsOf,
  changed,
  claim,
  errorOf,
  guardIn,
  insert,
  LIGHTHOUSE,
  owner,
  ownerKey,
  stack,
  stranger,
  TOKEN,
} from '../../support/tampering.ts'
import { createWallet } from '../../support/wallets.ts'

const SYSTEM = '11111111111111111111111111111111'
const NONCE_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111'

const tokenCallIn = (message: RawMessage) => callsOf(message, TOKEN)[0] ?? expect.fail('no token instruction')
const transferOf = (amount: number) => [12, ...u64(BigInt(amount)), 9]

describe('the instructions of a message', () => {
  const attacks: [string, Change][] = [
    ['a recorded one left out', (message) => void message.instructions.splice(-2, 1)],
    [
      'a recorded one twice',
      (message) => void message.instructions.push(structuredClone(tokenCallIn(message))),
    ],
    ['two recorded ones in the other order', (message) => void message.instructions.reverse()],
    [
      'another amount',
      (message) => {
        tokenCallIn(message).data[1] = 81
      },
    ],
    ['data that goes on', (message) => void tokenCallIn(message).data.push(0)],
    ['data that ends early', (message) => void tokenCallIn(message).data.pop()],
    [
      'source and destination in each other’s places, both writable',
      (message) => {
        const { accounts } = tokenCallIn(message)
        ;[accounts[0], accounts[2]] = [accounts[2] ?? 0, accounts[0] ?? 0]
      },
    ],
    [
      'the owner twice among the approving signers',
      (message) => {
        const { accounts } = tokenCallIn(message)
        accounts[accounts.length - 1] = 0
      },
    ],
    ['one account more', (message) => void tokenCallIn(message).accounts.push(0)],
    ['one account less', (message) => void tokenCallIn(message).accounts.pop()],
    [
      'another program with the same data and accounts',
      (message) => {
        tokenCallIn(message).program = indexIn(message, stranger)
      },
    ],
    [
      'a recorded one sent to Lighthouse',
      (message) => {
        tokenCallIn(message).program = indexIn(message, LIGHTHOUSE)
      },
    ],
    [
      'a transfer that merely names owner and authority, who sign anyway',
      (message) =>
        insert(message, -1, TOKEN, [position, mint, source, vault, ownerKey, authorityKey], transferOf(1)),
    ],
    [
      'the treasury’s tokens',
      (message) => insert(message, -1, TOKEN, [treasury, mint, source, authorityKey], transferOf(1)),
    ],
    [
      'the authority’s lamports',
      (message) => insert(message, 0, SYSTEM, [authorityKey, ownerKey], [...u32(2), ...u64(1n)]),
    ],
    [
      'a foreign program that gets both signatures',
      (message) => insert(message, 0, stranger, [ownerKey, authorityKey], []),
    ],
    [
      'a durable nonce advanced first',
      (message) => insert(message, 0, SYSTEM, [stranger, NONCE_SYSVAR, ownerKey], [...u32(4)]),
    ],
    [
      'a durable nonce of the authority’s advanced first',
      (message) => insert(message, 0, SYSTEM, [source, NONCE_SYSVAR, authorityKey], [...u32(4)]),
    ],
    [
      'na recorded one',
      (message) => {
        message.instructions = callsOf(message, LIGHTHOUSE)
      },
    ],
  ]

  it.each(attacks)('with %s are refused', async (_, change) => {
    expect(await errorOf(claim, changed(claim, change))).toMatch(/other_instructions|other_writable_accounts/)
  })

  it('may not be others of the same owner: a claim is not recorded as a stack', async () => {
    const submitted = createWallet(owner).sign(claim)
    expect(await errorOf(stack, submitted)).toBe('other_writable_accounts')
  })

  it('can not call the fee payer, nor name what is not there', async () => {
    const payer = changed(claim, (message) => {
      guardIn(message).program = 0
    })
    expect(await errorOf(claim, payer)).toBe('malformed')
    for (const index of [99, 255]) {
      const program = changed(claim, (message) => {
        guardIn(message).program = index
      })
      const account = changed(claim, (message) => void guardIn(message).accounts.push(index))
      expect([await errorOf(claim, program), await errorOf(claim, account)]).toEqual([
        'malformed',
        'malformed',
      ])
    }
  })
})
