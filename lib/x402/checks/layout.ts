import { equalBytes, utf8 } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import type { Message } from '../../solana/message.ts'
import {
  computeUnitLimitIn,
  computeUnitPriceIn,
  MAX_COMPUTE_UNITS,
  networkFee,
} from '../../solana/programs/compute-budget.ts'
import { MEMO_PROGRAM } from '../../solana/programs/programs.ts'
import { TRANSFER_CHECKED_BYTES, transferIn } from '../../solana/programs/token.ts'
import { guardError, isGuard } from '../../transactions/cosigning/guards.ts'
import type { PaymentError } from './errors.ts'
import type { Asked, PaymentTerms } from './requirements.ts'

/** The payment in a message: its payer, its source account, and its cost to the fee payer, in lamports. */
type Transfer = { payer: Address; source: Address; fee: bigint }

const MIN_INSTRUCTIONS = 3
const MAX_INSTRUCTIONS = 7
/** The fee payer and the payer. */
const SIGNERS = 2
const TRANSFER_ACCOUNTS = 4

const UNKNOWN = ['unknown_fourth', 'unknown_fifth', 'unknown_sixth', 'unknown_seventh'] as const

/**
 * Returns the payment in a message, or the reason to reject it. Apart from guards that wallets add, the
 * message is: compute unit limit, compute unit price, TransferChecked, then up to four memos. No instruction
 * names the fee payer, so it can lose only the network fee. Exactly two accounts sign. Guards may name only
 * source, mint and payer. Source: the specification of the scheme `exact` on SVM, sections 1, 2.1 and 3.1;
 * the "static verification" of @x402/svm's facilitator. Its other verification, for smart wallets, is not
 * supported.
 * @param destination the associated token account of the owner, whom the requirements call `payTo`
 */
export function transferOf(
  { accounts, instructions }: Message,
  { price, memo }: Asked,
  { owner, feePayer, maxFee }: PaymentTerms,
  destination: Address,
): Transfer | PaymentError {
  const [first, second, ...others] = accounts.filter(({ isSigner }) => isSigner)
  if (first?.address !== feePayer) return 'fee_payer_mismatch'
  if (!second || others.length > 0) return 'other_signers'
  const payer = second.address
  if (payer === owner) return 'payer_is_owner'
  const guards = instructions.filter(isGuard)
  const rest = instructions.filter((one) => !isGuard(one))
  if (rest.length < MIN_INSTRUCTIONS || rest.length > MAX_INSTRUCTIONS) return 'instructions_length'
  if (namedIn(instructions).has(feePayer)) return 'fee_payer_named'

  const [limit, unitPrice, third, ...optional] = rest
  const units = limit && computeUnitLimitIn(limit)
  if (units === undefined) return 'no_compute_limit'
  if (units > MAX_COMPUTE_UNITS) return 'compute_limit_too_high'
  const microLamports = unitPrice && computeUnitPriceIn(unitPrice)
  if (microLamports === undefined) return 'no_compute_price'
  const fee = networkFee(SIGNERS, units, microLamports)
  if (fee > maxFee) return 'fee_too_high'

  const transfer = third && transferIn(third)
  if (
    !transfer ||
    third.accounts.length !== TRANSFER_ACCOUNTS ||
    third.data.length !== TRANSFER_CHECKED_BYTES
  )
    return 'no_transfer'
  const { source, mint } = transfer
  if (transfer.approver !== payer) return 'no_transfer'
  if (mint !== price.asset) return 'mint_mismatch'
  if (transfer.destination !== destination) return 'recipient_mismatch'
  if (source === destination) return 'source_is_destination'
  if (transfer.amount !== price.amount) return 'amount_mismatch'

  // No guard may name the destination. A payer could send it a lamport after the simulation. The guard would
  // then fail on the chain, and the fee payer would lose the network fee.
  const error = guardError(guards, new Set([source, mint, payer]))
  if (error) return error
  const unknown = optional.findIndex((one) => !isMemo(one, payer))
  if (unknown >= 0) return UNKNOWN[unknown] ?? 'instructions_length'
  const writables = new Set([feePayer, payer, source, destination])
  if (!usesAccounts(accounts, instructions, writables)) return 'other_accounts'
  return memoError(optional, memo) ?? { payer, source, fee }
}

/** Whether an instruction is a memo. Its accounts must sign, so it may have only the payer's or none. */
const isMemo = ({ program, accounts }: Instruction, payer: Address): boolean =>
  program === MEMO_PROGRAM && accounts.every(({ address }) => address === payer)

/** Checks that the requested memo is the only one. Half a surrogate pair has no UTF-8, so no memo has it. */
function memoError(memos: Instruction[], asked: string | undefined): PaymentError | undefined {
  if (asked === undefined) return undefined
  const [memo, ...others] = memos
  if (!memo || others.length > 0) return 'memo_count'
  return asked.isWellFormed() && equalBytes(memo.data, utf8(asked)) ? undefined : 'memo_mismatch'
}

const namedIn = (instructions: Instruction[]): Set<Address> =>
  new Set(
    instructions.flatMap(({ program, accounts }) => [program, ...accounts.map(({ address }) => address)]),
  )

/**
 * Whether an instruction names each account of a message, and only `writables` are writable. Skips the first
 * account, the fee payer, which no instruction names.
 */
function usesAccounts(
  [, ...others]: Message['accounts'],
  instructions: Instruction[],
  writables: ReadonlySet<Address>,
): boolean {
  const named = namedIn(instructions)
  return others.every(
    ({ address, isWritable }) => named.has(address) && (!isWritable || writables.has(address)),
  )
}
