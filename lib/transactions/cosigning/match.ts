import { equalBytes } from '../../keys/bytes.ts'
import type { Address } from '../../solana/address.ts'
import type { AccountMeta, Instruction } from '../../solana/instruction.ts'
import type { Message } from '../../solana/message.ts'
import { budgetFault, isBudget } from './budget.ts'
import type { CosignFault } from './faults.ts'
import { guardFault, isGuard } from './guards.ts'

/**
 * Whose accounts a transaction names: of the ones that it only reads, the mint and the signing wallet's
 * own; of the ones that it writes, other parties'.
 */
export type Parties = { own: Address[]; others: Address[] }

/**
 * Tells what a message has that another, which was recorded, has not, beside guards and a compute budget.
 * Privileges are compared for the message as a whole, since that is where they are: an instruction that only
 * names an account gets all that the message asks for it.
 */
export function messageFault(recorded: Message, given: Message, parties: Parties): CosignFault | undefined {
  if (!equalLists(signersOf(recorded), signersOf(given), isSame)) return 'other_signers'
  if (!equalLists(writableOf(recorded), writableOf(given), isSame)) return 'other_writable_accounts'
  const guards = given.instructions.filter(isGuard)
  const rest = given.instructions.filter((one) => !isGuard(one))
  if (!equalLists(withoutBudget(recorded.instructions), withoutBudget(rest), isSameInstruction))
    return 'other_instructions'
  if (!usesAllAccounts(given)) return 'account_not_used'
  return guardFault(guards, guardable(recorded, parties)) ?? budgetFault(rest.filter(isBudget))
}

/** The accounts of a recorded message that guards may name: no program's, and no other party's. */
const guardable = ({ accounts }: Message, { own, others }: Parties): Set<Address> =>
  new Set(
    accounts
      .filter(({ address, isWritable }) => isWritable || own.includes(address))
      .flatMap(({ address }) => (others.includes(address) ? [] : [address])),
  )

const signersOf = ({ accounts }: Message): Address[] => addressesOf(accounts.filter((one) => one.isSigner))

/** Sorted: beside the signers, the order of the accounts is the wallet's to choose. */
const writableOf = ({ accounts }: Message): Address[] =>
  addressesOf(accounts.filter((one) => one.isWritable)).sort()

const addressesOf = (accounts: AccountMeta[]): Address[] => accounts.map(({ address }) => address)

const withoutBudget = (instructions: Instruction[]): Instruction[] =>
  instructions.filter((one) => !isBudget(one))

const isSameInstruction = (a: Instruction, b: Instruction): boolean =>
  a.program === b.program &&
  equalLists(addressesOf(a.accounts), addressesOf(b.accounts), isSame) &&
  equalBytes(a.data, b.data)

/** One that no instruction names, the fee payer aside, does nothing, but nobody has asked for it either. */
function usesAllAccounts({ accounts: [, ...others], instructions }: Message): boolean {
  const named = instructions.flatMap(({ program, accounts }) => [program, ...addressesOf(accounts)])
  return others.every(({ address }) => named.includes(address))
}

const isSame = (a: Address, b: Address): boolean => a === b

const equalLists = <Item>(a: Item[], b: Item[], same: (a: Item, b: Item) => boolean): boolean =>
  a.length === b.length && a.every((item, index) => same(item, b[index] as Item))
