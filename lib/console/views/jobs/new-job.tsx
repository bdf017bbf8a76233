import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { amountText } from '../../kit/amounts.ts'
import { Form } from '../../kit/form.tsx'
import { AmountField, LinesField, SelectField, TextField, useAmount } from '../../kit/inputs.tsx'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred, Link } from '../../kit/text.tsx'
import { useDraft } from '../../kit/values.ts'
import { ofAgent } from '../../live/about.ts'
import { show } from '../../router.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { sha256 } from './hash.ts'
import { hiddenProblem } from './hidden.ts'
import { keepInput } from './inputs.ts'
import { RentNote } from './money-acts.tsx'
import { durationWords, judgeName, judgeWords, payMinutes } from './words.ts'

const MAX_TITLE = 80
const MAX_BRIEF = 1_000
const MAX_INPUT_BYTES = 8_192

const HOUR = 60
const DAY = 24 * HOUR

/** The choices of a time, in minutes. */
const ACCEPT = [HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY]
const WORK = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]
const REVIEW = [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY]

type JobTerms = NonNullable<Agent['jobTerms']>

/** The order of a job, of the agent that the address names. */
export function NewJob({ query }: { query: URLSearchParams }) {
  const agentId = query.get('agent') ?? ''
  return UUID.test(agentId) ? (
    <OfAgent key={agentId} agentId={agentId} />
  ) : (
    <Page title="Order a job">
      <Empty title="Which agent should do it?">
        <p>
          Find an agent in <Link to="market">the market</Link>, and choose “Order a job” on its page.
        </p>
      </Empty>
    </Page>
  )
}

function OfAgent({ agentId }: { agentId: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    agentId,
    (signal) => client.call('GET /agents/{id}', { path: { id: agentId }, signal }),
    ofAgent(agentId, 'agent'),
  )
  const agent = 'data' in loaded ? loaded.data : undefined
  return (
    <Page
      title="Order a job"
      tab={agent ? `Order a job of ${agent.name}` : 'Order a job'}
      lead={
        agent && (
          <>
            of <Link to={`agents/${agent.id}`}>{agent.name}</Link>
          </>
        )
      }
      beside={agent && <Picture id={agent.id} size={72} />}
    >
      <Show loaded={loaded} reload={reload}>
        {(agent) => <Offered agent={agent} />}
      </Show>
    </Page>
  )
}

function Offered({ agent }: { agent: Agent }) {
  const { jobTerms } = agent
  if (!jobTerms || agent.status !== 'active')
    return (
      <Empty title="This agent accepts no jobs.">
        <p>
          <Link to={`agents/${agent.id}`}>Hire it</Link> instead, or find another one in{' '}
          <Link to="market">the market</Link>.
        </p>
      </Empty>
    )
  return (
    <NeedsWallet why="Connect a wallet to order a job.">
      {(wallet) =>
        wallet === agent.pubkey ? (
          <Empty title="This agent is yours. Another wallet can order a job of it." />
        ) : (
          <OrderForm key={wallet} agent={agent} terms={jobTerms} wallet={wallet} />
        )
      }
    </NeedsWallet>
  )
}

/** Returns choices of a time that are at least `min`, with `min` itself. */
const choicesOf = (minutes: readonly number[], min = 0): Record<string, string> =>
  Object.fromEntries(
    [...new Set(min > 0 ? [min, ...minutes] : minutes)]
      .filter((one) => one >= min)
      .sort((a, b) => a - b)
      .map((one) => [String(one), durationWords(one)]),
  )

/** Returns why the service would refuse an input. Only its hash is sent now, and the text with the payment. */
function inputProblem(input: string): string | undefined {
  if (input !== '' && input.trim() === '') return 'Enter a text, or leave the field empty.'
  const isTooLong = new TextEncoder().encode(input).length > MAX_INPUT_BYTES
  return isTooLong ? 'Too long. Enter at most 8 KiB.' : hiddenProblem(input)
}

type Draft = Record<
  'title' | 'brief' | 'input' | 'judge' | 'acceptMinutes' | 'workMinutes' | 'reviewMinutes',
  string
>

function OrderForm({ agent, terms, wallet }: { agent: Agent; terms: JobTerms; wallet: string }) {
  const { client } = useConnection()
  // A party can't judge.
  const judges = terms.judges.filter((judge) => judge !== wallet)
  const price = useAmount(amountText(terms.minPrice))
  // An order whose answer was lost is sent again under the same reference, and ordered once.
  const [reference] = useState(() => crypto.randomUUID())
  const { draft, field } = useDraft<Draft>({
    ...{ title: '', brief: '', input: '' },
    judge: judges[0] ?? '',
    acceptMinutes: String(3 * DAY),
    workMinutes: String(terms.workMinutes),
    reviewMinutes: String(3 * DAY),
  })
  async function order() {
    if (price.amount === undefined) return
    const { title, brief, input, judge, ...times } = draft
    const job = await client.call('POST /jobs', {
      body: {
        ...{ agentId: agent.id, title, brief, judge, reference, price: price.amount },
        ...(input !== '' && { inputHash: await sha256(input) }),
        acceptMinutes: Number(times.acceptMinutes),
        workMinutes: Number(times.workMinutes),
        reviewMinutes: Number(times.reviewMinutes),
      },
    })
    if (input !== '') keepInput(job.id, input)
    show(`jobs/${job.id}`)
  }
  if (judges.length === 0)
    return (
      <Empty title="You are this agent’s only judge, so you can’t order a job of it.">
        <p>Nobody judges a job of its own. Order with another wallet.</p>
      </Empty>
    )
  return (
    <>
      <p>You pay nothing now: the agent’s owner first reads the order and accepts it.</p>
      <Form action={order} label="Order job">
        <TextField
          {...field('title')}
          label="Title"
          hint={`Up to ${MAX_TITLE} characters`}
          problem={draft.title.trim() === '' ? 'Enter a title.' : hiddenProblem(draft.title)}
        />
        <LinesField
          {...field('brief')}
          label="Brief"
          hint={`What should be delivered, so that a judge can compare: up to ${MAX_BRIEF} characters. The agent’s owner reads it before accepting.`}
          rows={5}
          problem={
            draft.brief.trim() === ''
              ? 'Describe the work.'
              : [...draft.brief].length > MAX_BRIEF
                ? `Too long. Enter at most ${MAX_BRIEF} characters.`
                : hiddenProblem(draft.brief)
          }
        />
        <LinesField
          {...field('input')}
          label="Input (optional)"
          hint="A text to work on, up to 8 KiB. The agent’s owner reads it only after you have paid."
          rows={4}
          problem={inputProblem(draft.input)}
        />
        <div class="row">
          <AmountField
            name="price"
            label="Price in CRED"
            min={terms.minPrice}
            isRequired
            hint={`This agent works from ${formatCred(terms.minPrice)} CRED. The price includes the service’s fee.`}
            {...price}
          />
          <SelectField
            {...field('judge')}
            label="Judge"
            choices={Object.fromEntries(judges.map((judge) => [judge, judgeName(judge)]))}
          />
        </div>
        {judges.length < terms.judges.length && (
          <p class="small">You are one of this agent’s judges. Nobody judges a job of its own.</p>
        )}
        <div class="row">
          <SelectField
            {...field('acceptMinutes')}
            label="Accept within"
            hint="From your order"
            choices={choicesOf(ACCEPT)}
          />
          <SelectField
            {...field('workMinutes')}
            label="Deliver within"
            hint="From your payment"
            choices={choicesOf(WORK, terms.workMinutes)}
          />
          <SelectField
            {...field('reviewMinutes')}
            label="You review within"
            hint="From the delivery"
            choices={choicesOf(REVIEW)}
          />
        </div>
        <Course draft={draft} price={price.amount} />
      </Form>
    </>
  )
}

/** Says what happens after an order, step by step: who acts within which time, and what happens otherwise. */
function Course({ draft, price }: { draft: Draft; price: bigint | undefined }) {
  const within = (minutes: string | number) => `within ${durationWords(Number(minutes))}`
  return (
    <div class="notice">
      <h2>What happens then</h2>
      <ol>
        <li>The agent’s owner accepts {within(draft.acceptMinutes)}. Otherwise the order is cancelled.</li>
        <li>
          You pay {price === undefined ? 'the price' : <Cred amount={price} />} into an escrow{' '}
          {within(payMinutes(Number(draft.workMinutes)))} of the acceptance. Otherwise the order is cancelled.
        </li>
        <li>
          The agent delivers {within(draft.workMinutes)} of your payment. Otherwise you press “Get back” on
          the job’s page, and the price returns to your wallet.
        </li>
        <li>
          You approve or object {within(draft.reviewMinutes)} of the delivery. Otherwise the agent is paid.
        </li>
        <li>
          <span role="status">{judgeWords(draft.judge, 'hirer')}</span> Your part returns by “Get back”, too.
        </li>
      </ol>
      <RentNote />
    </div>
  )
}
