import { beforeAll, describe, expect, it } from 'vitest'
import { LIGHTHOUSE_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import { isPayersFault } from '../../../lib/x402/facilitator/failures.ts'
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
  it.each([
    ['{"InstructionError":[2,{"Custom":1}]}', true],
    ['{"InstructionError":[2,{"Custom":4}]}', true],
    ['{"InstructionError":[4,{"Custom":6001}]}', true],
    ['{"InstructionError":[4,"ProgramFailedToComplete"]}', true],
    ['{"InstructionError":[2,{"Custom":17}]}', false],
    ['{"InstructionError":[2,"InvalidAccountData"]}', false],
    ['{"InstructionError":[3,"InvalidInstructionData"]}', false],
    ['{"InstructionError":[9,{"Custom":1}]}', false],
    ['"InsufficientFundsForFee"', false],
    ['{"InsufficientFundsForRent":{"account_index":2}}', false],
  ])('as %s is its payer’s fault: %s', (failure, isTheirs) => {
    expect(isPayersFault(failure, transaction)).toBe(isTheirs)
  })
})
