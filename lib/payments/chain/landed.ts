import { type Cred, cred } from '../../../schema/amounts.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import type { Message } from '../../solana/message.ts'
import { memoSignedBy } from '../../solana/programs/memo.ts'
import { transfersIn } from '../../solana/programs/token.ts'
import type { PaymentSettings } from '../keys.ts'
import { collectorAccount, type PaymentKeys } from './collector.ts'

/** A landed collection. Its legs are the payments by budget account, of which `fee` went to a treasury. */
export type LandedCollection = {
  id: string
  owner: Wallet
  keys: PaymentKeys
  memo: string
  legs: { address: Address; amount: Cred; fee: Cred }[]
}

/** A landed purchase of credit. */
export type LandedPurchase = { id: string; owner: Wallet; amount: Cred }

const PURCHASE = /^AgentCred credit ([0-9a-f-]{36}): /
const COLLECTION = /^AgentCred collection ([0-9a-f-]{36}): /
const FUNDING = /AgentCred budget [0-9a-f-]{36}: (\S+ CRED) of hire ([0-9a-f-]{36})/

/**
 * Reads a landed collection. Its memo counts only with the authority's signature; any other transaction gives
 * undefined.
 * @param treasuries the token accounts that take or took the protocol fee
 */
export async function landedCollection(
  message: Message,
  { mint, keyVersions }: PaymentSettings,
  treasuries: ReadonlySet<Address>,
): Promise<LandedCollection | undefined> {
  const owner = message.accounts[0]?.address as Wallet
  for (const keys of keyVersions) {
    const memo = memoSignedBy(message, keys.authority)
    const [, id] = memo?.match(COLLECTION) ?? []
    const { address: collector } = await collectorAccount(owner, keys.keyVersion)
    const paid = transfersIn(message.instructions, mint).filter(({ approver }) => approver === collector)
    if (!memo || !id || paid.length === 0) continue
    const legs = [...Map.groupBy(paid, ({ source }) => source)].map(([address, transfers]) => ({
      address,
      amount: total(transfers),
      fee: total(transfers.filter(({ destination }) => treasuries.has(destination))),
    }))
    return { id, owner, keys, memo, legs }
  }
  return undefined
}

/** Reads a landed purchase of credit. Its memo, too, counts only with the authority's signature. */
export function landedPurchase(
  message: Message,
  { mint, keyVersions }: PaymentSettings,
  treasuries: ReadonlySet<Address>,
): LandedPurchase | undefined {
  const owner = message.accounts[0]?.address as Wallet
  const [id] = keyVersions.flatMap(
    ({ authority }) => memoSignedBy(message, authority)?.match(PURCHASE)?.[1] ?? [],
  )
  const paid = transfersIn(message.instructions, mint).filter(({ destination }) =>
    treasuries.has(destination),
  )
  return id && paid.length > 0 ? { id, owner, amount: total(paid) } : undefined
}

const total = (transfers: { amount: bigint }[]): Cred =>
  cred(transfers.reduce((sum, { amount }) => sum + amount, 0n))

/** Reads the hire and the amount from the memo of a funding. Anybody can write such a memo. */
export function fundingIn(memo = ''): { hireId: string; amount: string } | undefined {
  const [, amount, hireId] = memo.match(FUNDING) ?? []
  return amount && hireId ? { hireId, amount } : undefined
}
