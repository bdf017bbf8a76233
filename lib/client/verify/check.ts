import { fromBase64 } from '../encoding.ts'
import { AgentCredError } from '../error.ts'
import type { Call, OperationName } from '../operations.ts'
import type { Wallet } from '../wallet.ts'
import { unexpected } from './errors.ts'
import { type Facts, mergeFacts } from './facts.ts'
import type { Flow, Order, Summary } from './order.ts'
import { verify } from './verify.ts'

/** What a client knows of its deployment. `pinned` is the option `deployment`. */
export type Known = { pinned: Facts | undefined; facts?: Facts | undefined }

/** The flow of each operation that builds a transaction. */
const FLOWS: Partial<Record<OperationName, Flow>> = {
  'POST /vault/stack': 'stake',
  'POST /vault/unstack': 'unstake',
  'POST /vault/claim': 'claim',
  'POST /vault/leftovers': 'closeAccount',
  'POST /payments/budgets': 'fund',
  'POST /payments/budgets/withdraw': 'withdraw',
  'POST /payments/collectors': 'openPayoutAccount',
  'POST /payments/collect': 'collect',
  'POST /payments/credit': 'buyCredit',
  'POST /payments/jobs/refund-account': 'openRefundAccount',
  'POST /payments/jobs/fund': 'fundJob',
  'POST /payments/jobs/refund': 'refundJob',
  'POST /payments/jobs/collect': 'collectJobs',
  'POST /payments/jobs/close': 'closeEscrows',
}

/** An answer with a built transaction (Base64). A first stake may be answered with the opening of a vault. */
type Built = { transaction: string; step?: string | undefined }

/** Verifies the transaction that an operation has built for an order. */
export type Check = (name: OperationName, order: object, built: Built) => Promise<Summary>

type Checking = { call: Call; wallet: Wallet; known: Known }

/**
 * Begins to read the facts, while the service builds the transaction.
 * @returns a check that throws AgentCredError `transaction_unexpected`, and the errors of the read
 */
export function startCheck(deps: Checking): Check {
  const wasRead = deps.known.facts !== undefined
  const reading = readFacts(deps)
  // A flow that fails before its check has another error.
  reading.catch(() => {})
  return async (name, ordered, { transaction, step }) => {
    const flow = FLOWS[name] === 'stake' && step === 'open_vault' ? 'openVault' : FLOWS[name]
    const order = { ...ordered, flow } as Order
    const bytes = bytesOf(transaction)
    const verified = (facts: Facts) => verify(order, bytes, deps.wallet.publicKey, facts)
    try {
      const facts = await reading
      try {
        return verified(facts)
      } catch (error) {
        // The service may have a new key since the facts were read.
        if (!wasRead) throw error
        return verified(await readFacts(deps, true))
      }
    } catch (error) {
      if (error instanceof AgentCredError) throw error
      throw unexpected('it can’t be compared with what the service states')
    }
  }
}

/** @param isFresh whether to ask the host again */
async function readFacts({ call, known }: Checking, isFresh = false): Promise<Facts> {
  if (known.facts && !isFresh) return known.facts
  const isPinned = known.pinned !== undefined
  let stated: Facts
  try {
    stated = await call('GET /payments/deployment')
  } catch (error) {
    // Pinned facts are enough for all key versions that they have.
    if (known.pinned && error instanceof AgentCredError) return known.facts ?? known.pinned
    throw error
  }
  known.facts = mergeFacts(known.facts ?? known.pinned, stated, isPinned)
  return known.facts
}

function bytesOf(transaction: string): Uint8Array {
  try {
    return fromBase64(transaction)
  } catch {
    throw unexpected('it is not Base64')
  }
}
