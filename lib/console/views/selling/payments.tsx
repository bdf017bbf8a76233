import type { RequestPayment } from '../../../client/generated/types.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Badge, Cred, Signature, Time, Wallet } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Amount } from './amount.tsx'

const STATUSES = {
  pending: { tone: 'warn', words: 'pending' },
  settled: { tone: 'good', words: 'paid' },
  failed: { tone: 'bad', words: 'failed' },
  expired: { tone: 'plain', words: 'expired' },
} as const

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
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          <div class="table stacked" tabIndex={0}>
            <table>
              <caption class="visually-hidden">Payments for requests</caption>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Amount</th>
                  <th scope="col">Status</th>
                  <th scope="col">Payer</th>
                  <th scope="col">Transaction</th>
                </tr>
              </thead>
              <tbody>
                {payments.map((payment) => (
                  <Row key={payment.id} payment={payment} mint={mint} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Listed>
    </section>
  )
}

/** The status of a payment for a request. */
export function PaymentStatus({ payment: { status } }: { payment: RequestPayment }) {
  const { tone, words } = STATUSES[status]
  return <Badge tone={tone}>{words}</Badge>
}

function Row({ payment, mint }: { payment: RequestPayment; mint: string }) {
  return (
    <tr>
      <th scope="row">
        <Time at={payment.createdAt} />
      </th>
      <td data-label="Amount">
        <div>
          <Amount amount={payment.amount} asset={payment.asset} mint={mint} />
          {payment.priceName !== undefined && <p class="small">{payment.priceName}</p>}
          {/* What the owner's credit paid for it: given back if the payment expires, not if it fails. */}
          {payment.debit !== undefined && payment.status !== 'expired' && (
            <p class="small">
              credit used <Cred amount={payment.debit} />
            </p>
          )}
        </div>
      </td>
      <td data-label="Status">
        <PaymentStatus payment={payment} />
      </td>
      <td data-label="Payer">
        <Wallet address={payment.payer} />
      </td>
      <td data-label="Transaction">
        <Signature signature={payment.signature} />
      </td>
    </tr>
  )
}
