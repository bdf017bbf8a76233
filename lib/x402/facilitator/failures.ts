import { decodeMessage } from '../../solana/decode-message.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { transferIn } from '../../solana/programs/token.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { decodeMint, decodeTokenAccount } from '../../solana/token-state.ts'
import { decodeTransaction } from '../../solana/transaction.ts'

/** Errors of the Token program that only the source explains: it holds too little, or has another owner. */
const SOURCES_ERRORS = [1, 4]

/** The most payments in one call of the network, with two accounts each. */
const BATCH = 50

const INSTRUCTION_ERROR = /^\{"InstructionError":\[(\d+),(?:\{"Custom":(\d+)\}|.*)\]\}$/

/** A failed payment: the network's error as JSON, its slot, and the sent transaction in Base64. */
export type Failure = { failure: string; slot: bigint; transaction: string }

/**
 * Returns whether each failed payment counts against its payer, who writes all instructions. A failed
 * transfer counts unless its destination or mint explains the failure, since the owner controls these. An
 * error outside the instructions counts against nobody.
 * @throws ApiError `dependency_unavailable`
 */
export async function findPayersFaults(
  { rpc }: { rpc: Rpc },
  failures: readonly Failure[],
): Promise<Map<Failure, boolean>> {
  const payersFaults = new Map<Failure, boolean>()
  const open: { failure: Failure; transfer: NonNullable<ReturnType<typeof transferIn>> }[] = []
  for (const failure of failures) {
    const { instruction, custom } = failedIn(failure)
    const transfer = instruction && transferIn(instruction)
    if (transfer && !SOURCES_ERRORS.includes(Number(custom))) open.push({ failure, transfer })
    else payersFaults.set(failure, instruction !== undefined)
  }
  for (let from = 0; from < open.length; from += BATCH) {
    const some = open.slice(from, from + BATCH)
    const minSlot = some.reduce((last, { failure: { slot } }) => (slot > last ? slot : last), 0n)
    const addresses = some.flatMap(({ transfer }) => [transfer.destination, transfer.mint])
    const { accounts } = await rpc.accounts(addresses, { minSlot })
    for (const [index, { failure, transfer }] of some.entries()) {
      const destination = decodeTokenAccount(accounts[2 * index])
      const canReceive = destination?.state === 'initialized' && destination.mint === transfer.mint
      payersFaults.set(failure, canReceive && decodeMint(accounts[2 * index + 1]) !== undefined)
    }
  }
  return payersFaults
}

function failedIn({ failure, transaction }: Failure): {
  instruction: Instruction | undefined
  custom: string | undefined
} {
  const [, index, custom] = INSTRUCTION_ERROR.exec(failure) ?? []
  const decoded = decodeMessage(decodeTransaction(transaction)?.message ?? new Uint8Array())
  const instruction =
    index !== undefined && decoded.ok ? decoded.message.instructions[Number(index)] : undefined
  return { instruction, custom }
}
