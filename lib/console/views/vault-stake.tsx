import { useMemo, useState } from 'preact/hooks'
import type { Quote, VaultTerms } from '../../client/generated/types.ts'
import { formatCred, parseCred } from '../kit/amounts.ts'
import { Chart } from '../kit/chart.tsx'
import { Field } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred, Time } from '../kit/text.tsx'
import { Steps, useTransaction } from '../kit/transaction.tsx'
import { useConnection } from '../wallet/connection.tsx'

type Terms = VaultTerms['terms']
type LockDays = 7 | 30 | 90 | 180 | 365

/** A new stake: amount and term, quoted while they are typed, with the yield as it grows. */
export function StakeForm({ terms, changed }: { terms: Terms; changed: () => void }) {
  const { client } = useConnection()
  const { run, start } = useTransaction()
  const [text, setText] = useState('1000')
  const [lockDays, setLockDays] = useState<LockDays>(30)
  const amount = parseCred(text)
  async function stake() {
    if (amount === undefined) return
    if (await start((flow) => client.stake({ amount, lockDays }, flow))) changed()
  }
  return (
    <section aria-labelledby="stake">
      <h2 id="stake">Stake</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          stake()
        }}
      >
        <div class="row">
          <Field
            name="amount"
            label="Amount in CRED"
            hint={amount === undefined ? 'A number, with at most nine decimals' : ''}
          >
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                value={text}
                aria-invalid={amount === undefined}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field name="lockDays" label="Term">
            {(control) => (
              <select
                {...control}
                value={lockDays}
                onChange={(event) => setLockDays(Number(event.currentTarget.value) as LockDays)}
              >
                {terms.map((term) => (
                  <option key={term.lockDays} value={term.lockDays}>
                    {term.lockDays} days at {term.apyBps / 100}% a year
                  </option>
                ))}
              </select>
            )}
          </Field>
          <button type="submit" class="primary" disabled={!amount || run.state === 'running'}>
            Stake
          </button>
        </div>
      </form>
      {amount !== undefined && amount > 0n && <Quoted amount={amount} lockDays={lockDays} />}
      <Steps run={run} />
    </section>
  )
}

function Quoted({ amount, lockDays }: { amount: bigint; lockDays: LockDays }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(`${amount} ${lockDays}`, (signal) =>
    client.call('GET /vault/quote', { query: { amount, lockDays: `${lockDays}` }, signal }),
  )
  if (loaded.state === 'loading') return <p class="small">Asking for a quote…</p>
  if (loaded.state === 'failed') return <Failure error={loaded.error} retry={reload} />
  return (
    <>
      <dl>
        <dt>Yield of the term</dt>
        <dd>
          <Cred amount={loaded.data.yield} />
        </dd>
        <dt>Free again</dt>
        <dd>
          <Time at={loaded.data.unlocksAt} />
        </dd>
      </dl>
      <YieldCurve quote={loaded.data} />
    </>
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
      summary={`The yield grows evenly to ${formatCred(quote.yield)} CRED when the term ends, and no further.`}
    />
  )
}
