import { useState } from 'preact/hooks'
import type { Job } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { amountText } from '../../kit/amounts.ts'
import { Confirmed, Disclosure, Question } from '../../kit/disclosure.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, LinesField, useAmount } from '../../kit/inputs.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { hiddenProblem } from './hidden.ts'
import { isMoneyAct } from './money-acts.tsx'
import { afterFeeWords, capital, durationWords, EFFECTS, splitWords } from './words.ts'

/** The longest delivery in bytes, and the longest reason in characters. */
const MAX_DELIVERY_BYTES = 8_192
const MAX_REASON = 500

type Act = Job['actions'][number]['act']
/** `onActed` is called after an act, with what it has done if the job goes on. */
type ActProps = { job: Job; onActed: (words?: string) => void }

/** The acts that the wallet may do now besides transactions, each with its effect on the money. */
export function Acts(props: ActProps) {
  const { client } = useConnection()
  const { job, onActed } = props
  const may = (act: Act) => job.actions.some((action) => action.act === act)
  const path = { id: job.id }
  const done = (act: Promise<unknown>, words?: string) => act.then(() => onActed(words))
  if (!job.actions.some(({ act }) => !isMoneyAct(act))) return null
  return (
    <section aria-labelledby="acts" class="acts">
      <h2 id="acts">What you can do</h2>
      {may('accept') && (
        <Confirmed
          label="Accept job"
          isPrimary
          question={EFFECTS.accept(job)}
          action={() => done(client.acceptJob({ job }), 'You accepted the job.')}
        />
      )}
      {may('deliver') && <Deliver {...props} />}
      {may('approve') && (
        <Confirmed
          label="Approve delivery"
          isPrimary={job.status === 'delivered'}
          question={EFFECTS.approve(job)}
          action={() => done(client.call('POST /jobs/{id}/approve', { path }))}
        />
      )}
      {may('object') && (
        <Disclosure summary="Object to the delivery">
          <ObjectTo {...props} />
        </Disclosure>
      )}
      {may('judge') && <Judge {...props} />}
      {may('propose') &&
        (otherProposal(job) === undefined ? (
          <Disclosure summary="Propose a split">
            <Propose {...props} />
          </Disclosure>
        ) : (
          <Propose {...props} />
        ))}
      {may('concede') && (
        <Confirmed
          label="Give the price back"
          question={EFFECTS.concede(job)}
          action={() => done(client.call('POST /jobs/{id}/concede', { path }))}
        />
      )}
      {may('end') && (
        <Confirmed
          label={
            job.role === 'hirer' ? 'Withdraw order' : job.status === 'open' ? 'Decline order' : 'Give up'
          }
          question={EFFECTS.end(job)}
          action={() => done(client.call('DELETE /jobs/{id}', { path }))}
        />
      )}
    </section>
  )
}

/** Returns what is wrong with a text that must not be empty. */
function lengthProblem(text: string, isTooLong: boolean, most: string): string | undefined {
  if (text.trim() === '') return 'Enter a text.'
  return isTooLong ? `Too long. Enter at most ${most}.` : hiddenProblem(text)
}

function Deliver({ job, onActed }: ActProps) {
  const { client } = useConnection()
  const [text, setText] = useState('')
  const isTooLong = new TextEncoder().encode(text).length > MAX_DELIVERY_BYTES
  async function deliver() {
    await client.call('POST /jobs/{id}/delivery', { path: { id: job.id }, body: { text } })
    onActed('You delivered.')
  }
  return (
    <Form action={deliver} label="Deliver">
      <h3>Deliver</h3>
      <p>
        You can deliver once. The hirer then has {durationWords(job.reviewMinutes)} to object. If it doesn’t,
        you can collect {afterFeeWords(job.price, job)} here.
      </p>
      <LinesField
        name="text"
        label="Delivery"
        hint="The result itself, or a link to it. Plain text, up to 8 KiB."
        rows={8}
        problem={lengthProblem(text, isTooLong, '8 KiB')}
        value={text}
        change={setText}
      />
    </Form>
  )
}

function ObjectTo({ job, onActed }: ActProps) {
  const { client } = useConnection()
  const [reason, setReason] = useState('')
  async function object() {
    await client.call('POST /jobs/{id}/object', { path: { id: job.id }, body: { reason } })
    onActed('You objected to the delivery.')
  }
  return (
    <Form action={object} label="Object">
      <p>
        The price stays in the escrow until{' '}
        {job.judge === 'none'
          ? 'both sides agree on a split. If they don’t within 3 days, each gets half.'
          : 'the judge has decided, or both sides agree on a split. If nobody decides within 7 days, each gets half.'}{' '}
        You then get your part back by a press here.
      </p>
      <LinesField
        name="reason"
        label="What is wrong with the delivery"
        hint={`Up to ${MAX_REASON} characters. The agent’s owner and the judge read it.`}
        rows={3}
        problem={lengthProblem(reason, [...reason].length > MAX_REASON, `${MAX_REASON} characters`)}
        value={reason}
        change={setReason}
      />
    </Form>
  )
}

/** What the other side proposes that the agent gets. */
const otherProposal = ({ role, hirerProposal, agentProposal }: Job): bigint | undefined =>
  role === 'hirer' ? agentProposal : hirerProposal

/** Proposes a split; the job ends once both sides propose the same. */
function Propose({ job, onActed }: ActProps) {
  const { client } = useConnection()
  const { price, role } = job
  const own = role === 'hirer' ? job.hirerProposal : job.agentProposal
  const other = otherProposal(job)
  const typed = useAmount(amountText(other ?? own ?? price / 2n))
  const { amount } = typed
  const isAgreed = amount !== undefined && amount === other
  async function propose() {
    if (amount === undefined) return
    await client.call('POST /jobs/{id}/split', { path: { id: job.id }, body: { agentAmount: amount } })
    onActed(isAgreed ? undefined : `You propose: ${splitWords(job, amount)}.`)
  }
  return (
    <Form
      action={propose}
      label={isAgreed ? 'Agree to this split' : 'Propose split'}
      isDisabled={amount === own}
    >
      <h3>Split</h3>
      <Proposals job={job} />
      <p>
        The job ends as soon as both sides propose the same. You can replace your proposal by another one. It
        lapses with the job’s next step.
      </p>
      <PartField job={job} typed={typed} />
    </Form>
  )
}

/** Shows which splits the sides propose. */
function Proposals({ job }: { job: Job }) {
  const { role, hirerProposal, agentProposal } = job
  const proposals = [
    { by: role === 'hirer' ? 'You propose' : 'The hirer proposes', amount: hirerProposal },
    { by: role === 'agent' ? 'You propose' : 'The agent’s owner proposes', amount: agentProposal },
  ]
  return (
    <>
      {proposals.map(
        ({ by, amount }) =>
          amount !== undefined && (
            <p key={by}>
              {by}: {splitWords(job, amount)}.
            </p>
          ),
      )}
    </>
  )
}

/** Takes the part of the price that the agent gets, and says what each side gets. */
function PartField({ job, typed }: { job: Job; typed: ReturnType<typeof useAmount> }) {
  const { price, role } = job
  const { amount } = typed
  const isTooMuch = amount !== undefined && amount > price
  return (
    <AmountField
      name="agentAmount"
      label={
        role === 'agent' ? 'You get, before the fee, in CRED' : 'The agent gets, before the fee, in CRED'
      }
      isRequired
      problem={isTooMuch ? `Enter at most the price, ${formatCred(price)} CRED.` : undefined}
      hint={amount === undefined || isTooMuch ? undefined : `${capital(splitWords(job, amount))}.`}
      {...typed}
    />
  )
}

function Judge({ job, onActed }: ActProps) {
  const { client } = useConnection()
  const typed = useAmount()
  const [reason, setReason] = useState('')
  const [isAsking, setAsking] = useState(false)
  const { amount } = typed
  async function decide() {
    if (amount === undefined) return
    const body = { agentAmount: amount, reason }
    await client.call('POST /jobs/{id}/verdict', { path: { id: job.id }, body })
    onActed()
  }
  if (isAsking && amount !== undefined)
    return (
      <Question
        label="Decide"
        question={`The job ends: ${splitWords(job, amount)}. Your decision can’t be changed.`}
        action={decide}
        close={() => setAsking(false)}
      />
    )
  return (
    <Form action={async () => setAsking(true)} label="Decide…">
      <h3>Decide</h3>
      <p>Compare the delivery with the brief. Your decision ends the job.</p>
      <Proposals job={job} />
      <PartField job={job} typed={typed} />
      <LinesField
        name="reason"
        label="Reason"
        hint={`Up to ${MAX_REASON} characters. Both sides read it.`}
        rows={3}
        problem={lengthProblem(reason, [...reason].length > MAX_REASON, `${MAX_REASON} characters`)}
        value={reason}
        change={setReason}
      />
    </Form>
  )
}
