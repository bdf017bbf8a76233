import { Form } from '../../kit/form.tsx'
import { AmountField, useAmount } from '../../kit/inputs.tsx'
import { Steps } from '../../kit/steps.tsx'
import { Cred } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'
import type { Selling } from './read.ts'
import { requestsLeft } from './steps.ts'

/** The owner's credit, as the requests that it pays for, and the form that buys more. */
export function Credit({
  selling: { credit, cred, sales },
  onChanged,
}: {
  selling: Selling
  onChanged: () => void
}) {
  const { client } = useConnection()
  const amount = useAmount('5')
  const { run, check, start, isBusy } = useTransaction('credit', onChanged)
  const { debit } = sales
  async function buy() {
    const { amount: typed } = amount.typed
    if (typed !== undefined) start((flow) => client.buyCredit({ amount: typed }, flow))
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
          {debit === undefined ? (
            <span class="small">shown after the first payment</span>
          ) : (
            formatNumber(requestsLeft(credit, debit))
          )}
        </dd>
        <dt>Credit</dt>
        <dd>
          <Cred amount={credit} />
        </dd>
        <dt>Fee per request</dt>
        <dd>
          {debit === undefined ? (
            <span class="small">shown after the first payment</span>
          ) : (
            <>
              <Cred amount={debit} /> <span class="small">for the last one</span>
            </>
          )}
        </dd>
      </dl>
      <Form action={buy} label="Buy credit" isDisabled={!amount.typed.amount || isBusy}>
        <AmountField
          name="amount"
          label="Amount in CRED"
          hint={
            <>
              Your wallet has <Cred amount={cred} />.
            </>
          }
          {...amount}
        />
      </Form>
      <Steps run={run} check={check} />
    </section>
  )
}
