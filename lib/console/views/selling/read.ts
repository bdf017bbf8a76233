import { useRef } from 'preact/hooks'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { salesOf } from './steps.ts'

/** So many of the wallet's newest payments are searched for payments to the agent. */
export const NEWEST = 100

export type Selling = Awaited<ReturnType<typeof readOf>>

/** Loads what the service knows of an agent that sells requests, for its owner. */
export function useSelling(agentId: string) {
  const { client } = useConnection()
  const mint = useRef<string | undefined>(undefined)
  return useLoaded(
    agentId,
    async (signal) => {
      const selling = await readOf(client, agentId, mint.current, signal)
      mint.current = selling.mint
      return selling
    },
    // Payments for the owner's other agents use the same credit.
    ofKinds('payment', 'credit', 'request', 'agent'),
  )
}

type Client = ReturnType<typeof useConnection>['client']

async function readOf(client: Client, agentId: string, mint: string | undefined, signal: AbortSignal) {
  const path = { id: agentId }
  const [terms, needs, known, balances, credit, payments, resources] = await Promise.all([
    client.call('GET /x402/agents/{id}', { path, signal }).catch(noneYet),
    client.call('GET /x402/agents/{id}/selling', { path, signal }),
    mint ?? client.call('GET /vault/terms', { signal }).then(({ mint }) => mint),
    client.call('GET /payments/balances', { signal }),
    client.call('GET /payments/credit', { signal }),
    client.call('GET /x402/payments', { query: { role: 'owner', limit: NEWEST }, signal }),
    client.call('GET /x402/agents/{id}/resources', { path, signal }),
  ])
  const sales = salesOf(payments, agentId)
  return {
    /** Undefined while the agent has no price. */
    terms,
    missing: needs.missing,
    refusals: needs.refusals,
    /** CRED's. */
    mint: known,
    cred: balances.cred,
    credit: credit.balance,
    sales,
    /** The credit that a payment uses, by the newest payment, or as the service expects. */
    fee: sales.debit ?? needs.usualDebit,
    routes: resources.routes,
  }
}
