import { describe, expect, it } from 'vitest'
import { concat, u64 } from '../../../lib/keys/bytes.ts'
import { type Address, addressBytes } from '../../../lib/solana/address.ts'
import { TOKEN_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import type { ChainAccount } from '../../../lib/solana/token-state.ts'
import { sourceBalance } from '../../../lib/x402/checks/accounts.ts'
import { checkPayment } from '../../../lib/x402/checks/payment.ts'
import {
  AMOUNT,
  keyOf,
  mint,
  otherMint,
  owner,
  payer,
  requirementsWith,
  stockPayment,
  stranger,
  terms,
} from '../../support/x402.ts'

const FROZEN = 2
const account = (of: Address, amount: bigint, { asset = mint, state = 1 } = {}): ChainAccount => ({
  owner: TOKEN_PROGRAM,
  lamports: 2_039_280n,
  data: concat(
    addressBytes(asset),
    addressBytes(of),
    u64(amount),
    new Uint8Array(36),
    [state],
    new Uint8Array(56),
  ),
})
const source = account(keyOf(payer), AMOUNT)
const destination = account(keyOf(owner), 0n)

describe('the accounts of a payment', () => {
  it.each([
    ['can make it', AMOUNT, { source, destination }],
    ['hold too little', 'insufficient_funds', { source: account(keyOf(payer), AMOUNT - 1n), destination }],
    [
      'have a source of somebody else, whose delegate the payer is',
      'source_unusable',
      { source: account(keyOf(owner), AMOUNT), destination },
    ],
    ['have no source', 'source_unusable', { source: undefined, destination }],
    [
      'have a frozen source',
      'source_unusable',
      { source: account(keyOf(payer), AMOUNT, { state: FROZEN }), destination },
    ],
    [
      'have a source of another mint',
      'source_unusable',
      { source: account(keyOf(payer), AMOUNT, { asset: otherMint }), destination },
    ],
    ['have no destination', 'destination_unusable', { source, destination: undefined }],
    [
      'have a destination that was handed to another',
      'destination_unusable',
      { source, destination: account(keyOf(stranger), 0n) },
    ],
  ] as const)('%s', async (_, expected, accounts) => {
    const requirements = requirementsWith()
    const payload = await stockPayment(requirements)
    const verdict = await checkPayment({ paymentPayload: payload, paymentRequirements: requirements }, terms)
    if (!verdict.ok) expect.fail(verdict.message)
    expect(sourceBalance(verdict.payment, terms, accounts)).toBe(expected)
  })
})
