import type { RequestPayment } from '../../../client/generated/types.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { type Columns, Table } from '../../kit/table.tsx'
import { Badge, Cred, Signature, Time, Wallet } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Amount } from './amount.tsx'
import { PAYMENT_STATUSES } from './payment-status.ts'

/**
 * Lists the payments for requests to an agent, the newest first. The API lists those for all agents of the
 * wallet, so this filters each page; Listed offers the next page even if none is left.
 * @param mint the mint of CRED
 */
export function Payments({ agentId, mint }: { agentId: string; mint: string }) {
  const { client } = useConnection()
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      <Listed
        listKey={agentId}
        ask={async (cursor, signal) => {
          const query = { role: 'owner', cursor } as const
          const { payments, nextCursor } = await client.call('GET /x402/payments', { query, signal })
          return { entries: payments.filter((payment) => payment.agentId === agentId), nextCursor }
        }}
        isAbout={ofAgent(agentId, 'payment')}
        empty={
          <Empty title="No payments yet.">
            <p>Payments for requests to this agent will appear here.</p>
          </Empty>
        }
      >
        {(payments) => (
          <Table
            caption="Payments for requests"
            columns={columnsOf(mint)}
            rows={payments}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </section>
  )
}

/** The status of a payment for a request. */
export function PaymentStatus({ payment: { status } }: { payment: RequestPayment }) {
  const { tone, words } = PAYMENT_STATUSES[status]
  return <Badge tone={tone}>{words}</Badge>
}

const columnsOf = (mint: string): Columns<RequestPayment> => [
  { head: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Amount',
    cell: ({ amount, asset, priceName, debit, status }) => (
      <div>
        <Amount amount={amount} asset={asset} mint={mint} />
        {priceName !== undefined && <p class="small">{priceName}</p>}
        {/* What the owner's credit paid for it: given back if the payment expires, not if it fails. */}
        {debit !== undefined && status !== 'expired' && (
          <p class="small">
            credit used <Cred amount={debit} />
          </p>
        )}
      </div>
    ),
  },
  { head: 'Status', cell: (payment) => <PaymentStatus payment={payment} /> },
  { head: 'Payer', cell: ({ payer }) => <Wallet address={payer} /> },
  { head: 'Transaction', cell: ({ signature }) => <Signature signature={signature} /> },
]
