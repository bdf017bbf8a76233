import { equalBytes } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import type { AccountMeta, Instruction } from '../../solana/instruction.ts'
import type { Message } from '../../solana/message.ts'
import { budgetError, isBudget } from './budget.ts'
import type { CosignError } from './errors.ts'
import { guardError, isGuard } from './guards.ts'

/**
 * Whose accounts a transaction names. `own`: the mint and the wallet's, of the accounts that it only reads.
 * `others`: other parties', of the accounts that it writes.
 */
export type Parties = { own: Address[]; others: Address[] }

/**
 * Returns the first difference between a submitted message and the recorded one, except guards and compute
 * budget. Privileges belong to the message as a whole and are compared for it: an instruction that names an
 * account gets all privileges of that account in the message.
 */
export function messageError(
  recorded: Message,
  submitted: Message,
  parties: Parties,
): CosignError | undefined {
  if (!equalLists(signersOf(recorded), signersOf(submitted), isSame)) return 'other_signers'
  if (!equalLists(writableOf(recorded), writableOf(submitted), isSame)) return 'other_writable_accounts'
  const guards = submitted.instructions.filter(isGuard)
  const rest = submitted.instructions.filter((one) => !isGuard(one))
  if (!equalLists(withoutBudget(recorded.instructions), withoutBudget(rest), isSameInstruction))
    return 'other_instructions'
  if (!usesAllAccounts(submitted)) return 'account_not_used'
  return guardError(guards, guardable(recorded, parties)) ?? budgetError(rest.filter(isBudget))
}

/** Returns the accounts of a recorded message that guards may name: no program, no other party's account. */
const guardable = ({ accounts }: Message, { own, others }: Parties): Set<Address> =>
  new Set(
    accounts
      .filter(({ address, isWritable }) => isWritable || own.includes(address))
      .flatMap(({ address }) => (others.includes(address) ? [] : [address])),
  )

const signersOf = ({ accounts }: Message): Address[] => addressesOf(accounts.filter((one) => one.isSigner))

/** Sorted: the wallet chooses the order of all accounts but the signers. */
const writableOf = ({ accounts }: Message): Address[] =>
  addressesOf(accounts.filter((one) => one.isWritable)).sort()

const addressesOf = (accounts: AccountMeta[]): Address[] => accounts.map(({ address }) => address)

const withoutBudget = (instructions: Instruction[]): Instruction[] =>
  instructions.filter((one) => !isBudget(one))

const isSameInstruction = (a: Instruction, b: Instruction): boolean =>
  a.program === b.program &&
  equalLists(addressesOf(a.accounts), addressesOf(b.accounts), isSame) &&
  equalBytes(a.data, b.data)

/** An account that no instruction names, the fee payer aside, does nothing; the service never built it. */
function usesAllAccounts({ accounts: [, ...others], instructions }: Message): boolean {
  const named = instructions.flatMap(({ program, accounts }) => [program, ...addressesOf(accounts)])
  return others.every(({ address }) => named.includes(address))
}

const isSame = (a: Address, b: Address): boolean => a === b

const equalLists = <Item>(a: Item[], b: Item[], same: (a: Item, b: Item) => boolean): boolean =>
  a.length === b.length && a.every((item, index) => same(item, b[index] as Item))
