import type { Address } from '../../solana/address.ts'
import {
  blockhashAge,
  RECENT_BLOCKHASHES_BYTES,
  RECENT_BLOCKHASHES_SYSVAR,
} from '../../solana/recent-blockhashes.ts'
import { BLOCKHASH_BLOCKS } from '../../transactions/relay/limits.ts'
import { sourceBalance } from '../checks/accounts.ts'
import { checkPayment, type Payment, type Refused, refused } from '../checks/payment.ts'
import type { PaymentTerms } from '../checks/requirements.ts'
import { declarationOf } from '../resources/declaration.ts'
import type { StoredRoute } from '../resources/extension-responses.ts'
import { debitOf, FEE_PAYER_LOW, MIN_BLOCKS_LEFT } from '../rules.ts'
import { type Funds, type Rejection, reasonOf } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'
import { findPayable } from './price-queries.ts'

/** The arguments by which the ledger decides. */
type LedgerArguments = {
  keyVersion: number
  agentId: string
  payer: Address
  source: Address
  asset: Address
  amount: bigint
  identifierHash: string | undefined
  messageHash: string
  networkFee: bigint
  debit: bigint
  /** The balance of the source, and its slot; null if a check has rejected the payment. */
  balance: bigint | null
  balanceSlot: bigint
  feesPerDay: bigint
  now: Date
}

type PreVerified = {
  ok: true
  payment: Payment
  ledgerArguments: LedgerArguments
  /** The last block height that may contain the payment. */
  lastValidBlockHeight: bigint
  /** The funds for a new payment. A recorded payment may have moved its tokens already. */
  funds: Funds
  recentReasons: string[]
  /** What the payment's extension `bazaar` declares, and what is stored about the route of its price. */
  declaration: ReturnType<typeof declarationOf>
  route: StoredRoute | undefined
}

/** `recentReasons`: those that were recorded lately for the agent's owner; undefined if there is no agent. */
type Rejected = Refused & { recentReasons: string[] | undefined }

/**
 * Pre-verifies a payment before the ledger decides: the agent's terms (one statement), form and signature,
 * then the network's state (two waves of calls). It does not ask the network if a new payment would be
 * rejected in any case.
 * @throws ApiError `dependency_unavailable`
 */
export async function preVerify(
  deps: VerifyDeps,
  { key, ...request }: FacilitatorCall,
): Promise<PreVerified | Rejected> {
  const { now, settings, feePayer } = deps
  const agent = await findPayable(deps.db, key.agentId, now)
  if (!agent || agent.prices.length === 0)
    return { ...refused('not_a_price'), recentReasons: agent?.recentReasons }
  const { owner, prices, recentReasons, apiEndpoint } = agent
  const { network, maxFee } = settings
  const terms = {
    agentId: key.agentId,
    owner,
    prices,
    feePayer: feePayer.address,
    network,
    maxFee,
  }
  const checked = await checkPayment(request, terms)
  if (!checked.ok) return { ...checked, recentReasons }
  const { payment } = checked
  if (!(await deps.isWithinRate(payment.messageHash))) return { ...refused('too_many_calls'), recentReasons }
  const debit = debitOf(payment.networkFee, settings)
  const rejected = rejectionByRecord(agent, key, debit)
  const { slot, lastValidBlockHeight, funds } = rejected
    ? { slot: 0n, lastValidBlockHeight: 0n, funds: { rejection: rejected } }
    : await askNetwork(deps, payment, terms)
  return {
    ok: true,
    payment,
    lastValidBlockHeight,
    funds,
    recentReasons,
    declaration: declarationOf(request.paymentPayload, payment.price.name, apiEndpoint),
    route: prices.find(({ name }) => name === payment.price.name)?.route,
    ledgerArguments: {
      keyVersion: key.keyVersion,
      agentId: key.agentId,
      payer: payment.payer,
      source: payment.source,
      asset: payment.price.asset,
      amount: payment.price.amount,
      identifierHash: payment.identifierHash,
      messageHash: payment.messageHash,
      networkFee: payment.networkFee,
      debit,
      balance: 'balance' in funds ? funds.balance : null,
      balanceSlot: slot,
      feesPerDay: settings.feesPerDay,
      now,
    },
  }
}

/**
 * Returns why the database's rows reject a new payment. The ledger still decides: a recorded
 * payment continues despite it. Otherwise the ledger's own reason comes first, then this one for the missing
 * balance.
 */
function rejectionByRecord(
  { isActive, keyVersion, credit }: { isActive: boolean; keyVersion: number | null; credit: bigint },
  key: FacilitatorCall['key'],
  debit: bigint,
): Rejection | undefined {
  if (!isActive) return reasonOf('agent_not_active')
  if (keyVersion !== key.keyVersion) return reasonOf('key_ended')
  return credit < debit ? reasonOf('credit_exhausted') : undefined
}

/** Reads the balance and the age of the blockhash at one slot, and the block height at that slot or later. */
async function askNetwork({ rpc, alert, now }: VerifyDeps, payment: Payment, terms: PaymentTerms) {
  const addresses = [payment.source, payment.destination, RECENT_BLOCKHASHES_SYSVAR, terms.feePayer]
  const [{ slot, accounts }, failure] = await Promise.all([
    rpc.accounts(addresses, { maxBytes: RECENT_BLOCKHASHES_BYTES }),
    rpc.simulate(payment.transaction),
  ])
  const [source, destination, blockhashes, feePayer] = accounts
  if ((feePayer?.lamports ?? 0n) < FEE_PAYER_LOW)
    alert(`AgentCred: the fee payer ${terms.feePayer} has less than 0.02 SOL.`, now)
  const age = blockhashAge(blockhashes, payment.blockhash)
  const blocksLeft = age === undefined ? 0 : Number(BLOCKHASH_BLOCKS) - age
  const balance = sourceBalance(payment, terms, { source, destination })
  return {
    slot,
    lastValidBlockHeight: (await rpc.blockHeight(slot)) + BigInt(blocksLeft),
    funds: fundsOf(balance, { blocksLeft, isFailing: failure !== undefined }),
  }
}

function fundsOf(
  balance: ReturnType<typeof sourceBalance>,
  { blocksLeft, isFailing }: { blocksLeft: number; isFailing: boolean },
): Funds {
  if (typeof balance === 'string') return { rejection: refused(balance) }
  if (blocksLeft < MIN_BLOCKS_LEFT) return { rejection: refused('blockhash_too_old') }
  return isFailing ? { rejection: refused('simulation_failed') } : { balance }
}
