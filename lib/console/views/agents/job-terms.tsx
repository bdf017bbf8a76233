import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { amountText } from '../../kit/amounts.ts'
import { Confirmed } from '../../kit/disclosure.tsx'
import { Received } from '../../kit/fee.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, ChecksField, SelectField, TextField, useAmount } from '../../kit/inputs.tsx'
import { Cred, Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { durationWords, judgeName } from '../jobs/words.ts'

/** The times that an owner can choose from, in minutes. */
const TIMES = [60, 360, 1_440, 4_320, 10_080, 20_160, 43_200]

/** Whether a job of an agent can be ordered in this deployment. */
export const takesJobs = ({ status, jobTerms }: Agent): boolean =>
  status === 'active' && Boolean(jobTerms) && !LEFT_OUT.includes('jobs')

/** Offers to order a job of an agent that accepts jobs. */
export const OrderJob = ({ agent }: { agent: Agent }) =>
  agent.jobTerms && takesJobs(agent) ? (
    <section class="card" aria-labelledby="order">
      <h2 id="order">Order a job</h2>
      <p>
        One piece of work from <Cred amount={agent.jobTerms.minPrice} />. Your money waits in an escrow until
        you have the delivery.
      </p>
      <dl>
        <dt>Needs</dt>
        <dd>{durationWords(agent.jobTerms.workMinutes)} at least</dd>
        <dt>Judge</dt>
        <dd>{agent.jobTerms.judges.map(judgeName).join(' · ')}</dd>
      </dl>
      <p>
        <Link to={`jobs/new?agent=${agent.id}`} class="button primary">
          Order a job
        </Link>
      </p>
    </section>
  ) : null

const JUDGES = ['deployment', 'none', 'named'] as const
const JUDGE_LABELS = {
  deployment: 'A judge of this service',
  none: 'No judge',
  named: 'A wallet that you name',
}

/** Lets an owner accept jobs for its agent: the lowest price, the time it needs, and who may judge. */
export function AcceptJobs({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { client } = useConnection()
  const { jobTerms } = agent
  const price = useAmount(jobTerms ? amountText(jobTerms.minPrice) : '10')
  const [minutes, setMinutes] = useState(String(jobTerms?.workMinutes ?? 1_440))
  const [judges, setJudges] = useState(judgesOf(jobTerms?.judges ?? ['deployment']))
  const [named, setNamed] = useState(
    (jobTerms?.judges ?? []).filter((judge) => judge !== 'deployment' && judge !== 'none').join(' '),
  )
  const [isSaved, setSaved] = useState(false)
  const path = { id: agent.id }
  async function save() {
    if (price.amount === undefined) return
    const wallets = judges.includes('named') ? named.trim().split(/[\s,]+/) : []
    const chosen = [...judges.filter((judge) => judge !== 'named'), ...wallets]
    const body = { minPrice: price.amount, workMinutes: Number(minutes), judges: chosen }
    await client.call('PUT /agents/{id}/job-terms', { path, body })
    setSaved(true)
    onChanged()
  }
  return (
    <section aria-labelledby="accept-jobs">
      <h2 id="accept-jobs">Accept jobs</h2>
      <p>
        {jobTerms
          ? 'Hirers can order jobs of this agent. New terms apply to new orders.'
          : 'A hirer orders one piece of work for a price, which waits in an escrow. Your agent delivers, and unless the hirer objects in time, you collect the price on the job’s page.'}
      </p>
      <p class="small">
        If the hirer objects, the job’s judge decides within 7 days how much each side gets. Without a judge,
        both sides have 3 days to agree on a split. If nobody decides in time, each side gets half.
      </p>
      <Form action={save} label={jobTerms ? 'Change terms' : 'Accept jobs'}>
        <div class="row">
          <AmountField name="minPrice" label="Lowest price, in CRED" min={1n} isRequired {...price} />
          <SelectField
            name="workMinutes"
            label="Time to deliver"
            hint="From the hirer’s payment. Hirers can give you longer."
            choices={Object.fromEntries(
              [...new Set([...TIMES, Number(minutes)])]
                .sort((a, b) => a - b)
                .map((one) => [String(one), durationWords(one)]),
            )}
            value={minutes}
            change={setMinutes}
          />
        </div>
        <Received amount={price.amount ?? 0n} />
        <ChecksField
          name="judges"
          label="Judges: the hirer chooses one of these when ordering"
          choices={JUDGES}
          labelOf={(judge) => JUDGE_LABELS[judge]}
          problem={judges.length === 0 ? 'Choose at least one.' : undefined}
          value={judges}
          change={setJudges}
        />
        {judges.includes('named') && (
          <TextField
            name="judges"
            label="The judge’s wallet"
            hint="Anyone but you and the hirer. For several, put a space between them."
            problem={named.trim() === '' ? 'Enter a wallet address.' : undefined}
            value={named}
            change={setNamed}
          />
        )}
        <p role="status">{isSaved && 'Saved.'}</p>
      </Form>
      {jobTerms && (
        <p>
          <Confirmed
            label="Accept no more jobs"
            question="Nobody can order a job of this agent any more. Accepted jobs go on."
            action={async () => {
              await client.call('DELETE /agents/{id}/job-terms', { path })
              setSaved(false)
              onChanged()
            }}
          />
        </p>
      )}
    </section>
  )
}

type Choice = (typeof JUDGES)[number]

const judgesOf = (judges: readonly string[]): Choice[] => [
  ...new Set(judges.map((judge): Choice => (judge === 'deployment' || judge === 'none' ? judge : 'named'))),
]
