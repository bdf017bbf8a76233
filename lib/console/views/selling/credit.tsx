import { Form } from '../../kit/form.tsx'
import { AmountField, useAmount } from '../../kit/inputs.tsx'
import { Steps } from '../../kit/steps.tsx'
import { Cred } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'
import type { Selling } from './read.ts'
import { requestsWords } from './request-words.ts'
import { requestsLeft } from './steps.ts'

/** The owner's credit, as the requests that it pays for, and the form that buys more. */
export function Credit({
  selling: { credit, cred, fee, sales },
  onChanged,
}: {
  selling: Selling
  onChanged: () => void
}) {
  const { client } = useConnection()
  const typed = useAmount('5')
  const { amount } = typed
  const { run, check, start, isBusy } = useTransaction('credit', onChanged)
  async function buy() {
    if (amount !== undefined) start((flow) => client.buyCredit({ amount }, flow))
  }
  return (
    <section aria-labelledby="credit">
      <h2 id="credit">Request credit</h2>
      <p>
        The service pays the network fee of each paid request from your credit. All your agents use the same
        credit, and it isn’t refundable.
      </p>
      <dl class="figures">
        <dt>Requests left</dt>
        <dd>
          {fee === undefined ? (
            <span class="small">shown after the first payment</span>
          ) : (
            formatNumber(requestsLeft(credit, fee))
          )}
        </dd>
        <dt>Credit</dt>
        <dd>
          <Cred amount={credit} />
        </dd>
        <dt>Fee per request</dt>
        <dd>
          {fee === undefined ? (
            <span class="small">shown after the first payment</span>
          ) : (
            <>
              <Cred amount={fee} />{' '}
              <span class="small">{sales.debit === undefined ? 'usually' : 'for the last one'}</span>
            </>
          )}
        </dd>
      </dl>
      <Form action={buy} label="Buy credit" isDisabled={!amount || isBusy}>
        <AmountField
          name="amount"
          label="Amount in CRED"
          min={1n}
          hint={
            <>
              {fee !== undefined && amount !== undefined && (
                <>
                  <Bought amount={amount} fee={fee} />{' '}
                </>
              )}
              Your wallet has <Cred amount={cred} />.
            </>
          }
          {...typed}
        />
      </Form>
      <Steps run={run} check={check} />
    </section>
  )
}

/** Says how many requests an amount of credit pays for; warns if that is none. */
const Bought = ({ amount, fee }: { amount: bigint; fee: bigint }) =>
  amount < fee ? (
    <span class="bad">
      This doesn’t pay for a request: each uses about <Cred amount={fee} />.
    </span>
  ) : (
    <>
      <Cred amount={amount} /> is about {requestsWords(amount, fee)}.
    </>
  )
