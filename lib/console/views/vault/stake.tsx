import { useMemo, useState } from 'preact/hooks'
import type { Quote, StackRequest, VaultTerms } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Chart } from '../../kit/chart.tsx'
import { Form } from '../../kit/form.tsx'
import { InWallet, tooMuchFor, useInWallet } from '../../kit/in-wallet.tsx'
import { AmountField, SelectField, useAmount } from '../../kit/inputs.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { RoundedCred, Time } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { useConnection } from '../../wallet/connection.tsx'

type Terms = VaultTerms['terms']
type LockDays = StackRequest['lockDays']

/** A new stake: amount and term, quoted while they are typed, with the yield as it grows. */
export function StakeForm({ terms, onChanged }: { terms: Terms; onChanged: () => void }) {
  const { client } = useConnection()
  const { run, check, start, isBusy } = useTransaction('stake', onChanged)
  const typed = useAmount('1000')
  const [lockDays, setLockDays] = useState<`${LockDays}`>('30')
  const { amount } = typed
  const inWallet = useInWallet()
  async function stake() {
    if (amount !== undefined)
      start((flow) => client.stake({ amount, lockDays: Number(lockDays) as LockDays }, flow))
  }
  return (
    <section aria-labelledby="stake">
      <h2 id="stake">Stake CRED</h2>
      <Form label="Stake" action={stake} isBusy={run.state === 'running'} isDisabled={isBusy}>
        <div class="row">
          <AmountField
            name="amount"
            label="Amount in CRED"
            min={1n}
            isRequired
            hint={<InWallet cred={inWallet} />}
            problem={tooMuchFor(amount, inWallet)}
            {...typed}
          />
          <SelectField
            name="lockDays"
            label="Lock period"
            choices={choicesOf(terms)}
            value={lockDays}
            change={setLockDays}
          />
        </div>
      </Form>
      <Steps run={run} check={check} />
      {amount !== undefined && amount > 0n && <Quoted amount={amount} lockDays={lockDays} />}
    </section>
  )
}

/** Returns the possible terms in words. */
const choicesOf = (terms: Terms) =>
  Object.fromEntries(
    terms.map(({ lockDays, apyBps }) => [lockDays, `${lockDays} days at ${apyBps / 100}% per year`]),
  ) as Record<`${LockDays}`, string>

function Quoted({ amount, lockDays }: { amount: bigint; lockDays: `${LockDays}` }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    'quote',
    (signal) => client.call('GET /vault/quote', { query: { amount, lockDays }, signal }),
    undefined,
    `${amount} ${lockDays}`,
  )
  if (loaded.state === 'loading') return <p class="small">Calculating your yield…</p>
  if (loaded.state === 'failed') return <Failure error={loaded.error} retry={reload} />
  return (
    <div class={loaded.isOther ? 'other' : undefined} aria-busy={loaded.isOther}>
      <dl>
        <dt>Total yield</dt>
        <dd>
          <RoundedCred amount={loaded.data.yield} />
        </dd>
        <dt>Unlocks</dt>
        <dd>
          <Time at={loaded.data.unlocksAt} />
        </dd>
      </dl>
      <YieldCurve quote={loaded.data} />
    </div>
  )
}

/** Simple interest: a straight line to the end of the term, and none behind it. */
function YieldCurve({ quote }: { quote: Quote }) {
  const { xs, series } = useMemo(() => {
    const [from, to] = [Date.parse(quote.stakedAt) / 1000, Date.parse(quote.unlocksAt) / 1000]
    const whole = Number(quote.yield) / 1e9
    return {
      xs: [from, to, to + (to - from) / 4],
      series: [{ label: 'Yield', values: [0, whole, whole] }],
    }
  }, [quote])
  return (
    <Chart
      xs={xs}
      series={series}
      unit="CRED"
      summary={`Yield grows evenly to ${formatCred(quote.yield)} CRED by the end of the lock period, then stops.`}
    />
  )
}
