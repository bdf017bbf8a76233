import { CRED_DECIMALS, type Cred, formatAmount } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { associatedTokenAddress, createAssociatedIdempotent } from '../../solana/programs/associated-token.ts'
import { createInSteps } from '../../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import {
  approveChecked,
  closeAccount,
  initializeAccount3,
  revoke,
  TOKEN_ACCOUNT_BYTES,
  transferChecked,
} from '../../solana/programs/token.ts'
import type { Rents } from '../../solana/rents.ts'
import { type Built, forOwnerAlone, type Network } from '../../transactions/cosigning/envelope.ts'
import type { BudgetState } from './budget-account.ts'

/** A hirer's budget account, and the transaction's envelope. */
type Budget = {
  /** The intent's id, for the memo. */
  id: string
  hireId: string
  hirer: Address
  mint: Address
  network: Network
}

type Funding = Budget & {
  account: SeededAccount
  /** The state of its address when the transaction was built. */
  state: Exclude<BudgetState, { kind: 'foreign' }>
  rents: Rents
  collector: Address
  amount: Cred
}

/**
 * Builds the transaction that opens a budget account or tops it up. It approves the payout account for the
 * whole new balance. The hirer signs it alone.
 *
 * A top-up first transfers the balance that it was built from to the account itself, which fails if less is
 * there. Otherwise 7,000 could be collected if 3,000 were collected before an approval of 4,000 landed.
 */
export async function buildFunding(funding: Funding): Promise<Built> {
  const { account, amount, collector, hireId, hirer, id, mint, network, rents, state } = funding
  const { address } = account
  const source = await associatedTokenAddress(hirer, mint)
  const held = state.kind === 'open' ? state.balance : 0n
  const move = (from: Address, units: bigint): Instruction =>
    transferChecked(
      { source: from, mint, destination: address, amount: units, decimals: CRED_DECIMALS },
      { owner: hirer },
    )
  const approval = { account: address, mint, delegate: collector, amount: held + amount }
  return forOwnerAlone({ owner: hirer, network, text: textOf('budget', id, hireId, amount) }, [
    ...(state.kind === 'open'
      ? [move(address, held)]
      : [
          ...createInSteps(account, {
            bytes: TOKEN_ACCOUNT_BYTES,
            rent: rents.tokenAccount,
            held: state.lamports,
          }),
          initializeAccount3(address, mint, hirer),
        ]),
    move(source, amount),
    approveChecked({ ...approval, decimals: CRED_DECIMALS }, { owner: hirer }),
  ])
}

type Withdrawal = Budget & {
  address: Address
  balance: Cred
  /**
   * Leaves the account open. Closing in the same transaction needs an empty account, so a single unit that
   * anybody sends to it in between would fail the withdrawal, too.
   */
  leaveOpen: boolean
}

/**
 * Builds the transaction that revokes the delegate, pays the balance to the hirer's token account and closes
 * the budget account, which returns its rent. The hirer signs it alone.
 */
export async function buildWithdrawal(withdrawal: Withdrawal): Promise<Built> {
  const { address, balance, hireId, hirer, id, leaveOpen, mint, network } = withdrawal
  const destination = await associatedTokenAddress(hirer, mint)
  const approval = { owner: hirer }
  const transfer = { source: address, mint, destination, amount: balance, decimals: CRED_DECIMALS }
  return forOwnerAlone({ owner: hirer, network, text: textOf('withdrawal', id, hireId, balance) }, [
    revoke(address, approval),
    ...(balance > 0n
      ? [createAssociatedIdempotent(destination, hirer, mint), transferChecked(transfer, approval)]
      : []),
    ...(leaveOpen ? [] : [closeAccount(address, hirer, approval)]),
  ])
}

const textOf = (what: string, id: string, hireId: string, amount: Cred): string =>
  `AgentCred ${what} ${id}: ${formatAmount(amount)} CRED of hire ${hireId}`
