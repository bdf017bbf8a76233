import { beforeAll, describe, expect, it } from 'vitest'
import { LIGHTHOUSE_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import type { Rpc } from '../../../lib/solana/rpc.ts'
import { findPayersFaults } from '../../../lib/x402/facilitator/failures.ts'
import { indexIn } from '../../support/raw-message.ts'
import { payer, rawPayment, requirementsWith, signedBy, stockPayment } from '../../support/x402.ts'

/** Limit, price, transfer, memo, guard. */
let transaction: string
beforeAll(async () => {
  const raw = rawPayment(await stockPayment(requirementsWith()))
  raw.instructions.push({ program: indexIn(raw, LIGHTHOUSE_PROGRAM), accounts: [1], data: [5, 0] })
  transaction = signedBy([payer], raw)
})

describe('a failure on the chain', () => {
  // test/chain/x402.test.ts covers failures that destination and mint may explain.
  it.each([
    ['{"InstructionError":[2,{"Custom":1}]}', true],
    ['{"InstructionError":[2,{"Custom":4}]}', true],
    ['{"InstructionError":[3,"InvalidInstructionData"]}', true],
    ['{"InstructionError":[4,{"Custom":6001}]}', true],
    ['{"InstructionError":[4,"ProgramFailedToComplete"]}', true],
    ['{"InstructionError":[9,{"Custom":1}]}', false],
    ['"InsufficientFundsForFee"', false],
    ['{"InsufficientFundsForRent":{"account_index":2}}', false],
  ])('as %s is caused by its payer: %s, without asking the network', async (failure, isTheirs) => {
    const failed = { failure, slot: 1n, transaction }
    expect((await findPayersFaults({ rpc: {} as Rpc }, [failed])).get(failed)).toBe(isTheirs)
  })

  it('is checked, fifty in a call, if destination or mint may have caused it', async () => {
    const failure = '{"InstructionError":[2,"InvalidAccountData"]}'
    const failed = Array.from({ length: 120 }, (_, n) => ({ failure, slot: BigInt(n), transaction }))
    const asked: unknown[] = []
    const accounts: Rpc['accounts'] = async (addresses, options) => {
      asked.push([addresses.length, options?.minSlot])
      return { slot: 200n, accounts: addresses.map(() => undefined) }
    }
    const payersFaults = await findPayersFaults({ rpc: { accounts } as Rpc }, failed)
    expect(asked).toEqual([
      [100, 49n],
      [100, 99n],
      [40, 119n],
    ])
    expect(failed.map((one) => payersFaults.get(one))).toEqual(failed.map(() => false))
  })
})
