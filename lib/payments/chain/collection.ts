import { CRED_DECIMALS, type Cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import type { Instruction } from '../../solana/instruction.ts'
import { associatedTokenAddress, createAssociatedIdempotent } from '../../solana/programs/associated-token.ts'
import { transferChecked } from '../../solana/programs/token.ts'
import { type Built, type Network, unsigned } from '../../transactions/cosigning/envelope.ts'
import { collectorAccount, type PaymentKeys } from './collector.ts'

/**
 * The most budget accounts of one collection, by the state of the owner's token account. With one more the
 * transaction would be too large; creating an absent token account takes the room of one.
 */
export const MAX_LEGS = { open: 6, absent: 5 } as const

/**
 * The payment from one budget account: `amount`, of which `fee` goes to the treasury. protocolFee makes no
 * fee above the amount.
 */
export type Leg = { address: Address; amount: Cred; fee: Cred }

type Collection = {
  /** The intent's id, for the memo. */
  id: string
  owner: Address
  keys: PaymentKeys
  mint: Address
  /** The token account that takes the protocol fee. */
  treasury: Address
  /** The owner's token account: `open` exists, `absent` has to be created first. */
  ownerTokens: keyof typeof MAX_LEGS
  legs: Leg[]
  network: Network
}

/**
 * Builds the transaction that pays charges from budget accounts to the agents' owner, less the protocol fee.
 * The owner signs first; it pays the network fee, and the rent of its own token account. The authority signs
 * next.
 * @throws RangeError for no budget account or more than MAX_LEGS
 */
export async function buildCollection(collection: Collection): Promise<Built> {
  const { id, keys, legs, mint, network, owner, ownerTokens, treasury } = collection
  const most = MAX_LEGS[ownerTokens]
  if (legs.length === 0 || legs.length > most)
    throw new RangeError(`a collection pays from 1 to ${most} accounts, not ${legs.length}`)
  const destination = await associatedTokenAddress(owner, mint)
  // An SPL multisig, 2 of owner and authority. Each budget account has approved it as its delegate.
  const { address: collector } = await collectorAccount(owner, keys.keyVersion)
  const pay = (source: Address, to: Address, amount: bigint): Instruction[] =>
    amount === 0n
      ? []
      : [
          transferChecked(
            { source, mint, destination: to, amount, decimals: CRED_DECIMALS },
            // The token program's `owner`: the account that may move tokens of `source`, here its delegate.
            { owner: collector, signers: [owner, keys.authority] },
          ),
        ]
  const total = formatAmount(sumOf(legs.map(({ amount }) => amount)))
  const fee = formatAmount(sumOf(legs.map(({ fee }) => fee)))
  const text = `AgentCred collection ${id}: ${total} CRED, fee ${fee} CRED`
  return unsigned({ owner, network, text }, keys.authority, [
    ...(ownerTokens === 'absent' ? [createAssociatedIdempotent(destination, owner, mint)] : []),
    ...legs.flatMap(({ address, amount, fee }) => [
      ...pay(address, destination, amount - fee),
      ...pay(address, treasury, fee),
    ]),
  ])
}
