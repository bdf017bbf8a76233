import type { ComponentChildren } from 'preact'
import type { Agent } from '../../../client/generated/types.ts'
import { Button } from '../../kit/button.tsx'
import { useSeenAgain } from '../../kit/query.ts'
import { Badge, Cred, Link, Time, Wallet } from '../../kit/text.tsx'
import { NEWEST, type Selling } from './read.ts'
import { requestsWords } from './request-words.ts'
import { STEPS, type StepName, type StepState, stepsOf } from './steps.ts'

type ChecklistProps = {
  agent: Agent
  selling: Selling
  keyMadeAt: number | undefined
  /** Whether the service is being asked again. */
  isChecking: boolean
  checkAgain: () => void
}

/** How far the owner is on the way to the first paid request, and what to do next at each step. */
export function Checklist(facts: ChecklistProps) {
  const { agent } = facts
  // No event says that a token account was opened.
  useSeenAgain(facts.checkAgain)
  const states = stepsOf({ ...facts.selling, keyMadeAt: facts.keyMadeAt })
  return (
    <section aria-labelledby="checklist">
      <h2 id="checklist">Checklist</h2>
      {agent.status !== 'active' && (
        <p class="notice">
          <strong>This agent is {agent.status}, so its requests can’t be paid for.</strong>{' '}
          {agent.status === 'inactive' && (
            <>
              <Link to={`agents/${agent.id}`}>Activate it</Link> first.
            </>
          )}
        </p>
      )}
      <ol class="checklist">
        {STEPS.map((name) => (
          <Step key={name} title={TITLES[name]} state={states[name]}>
            {DETAILS[name]({ ...facts, state: states[name] })}
          </Step>
        ))}
      </ol>
    </section>
  )
}

const TITLES: Record<StepName, string> = {
  address: 'Set your API’s address',
  price: 'Set a price',
  account: 'Open a token account',
  key: 'Create a selling key',
  credit: 'Buy request credit',
  server: 'Run your server',
  payment: 'Receive the first payment',
  listed: 'Be listed in the catalog',
}

const STATES = {
  done: { tone: 'good', words: 'Done' },
  todo: { tone: 'warn', words: 'To do' },
  unknown: { tone: 'plain', words: 'Not confirmed' },
} as const

const Step = ({
  title,
  state,
  children,
}: {
  title: string
  state: StepState
  children: ComponentChildren
}) => (
  <li>
    <Badge tone={STATES[state].tone}>{STATES[state].words}</Badge>
    <div>
      <strong>{title}</strong>
      <p class="small">{children}</p>
    </div>
  </li>
)

type Detail = (step: ChecklistProps & { state: StepState }) => ComponentChildren

/** Says what the service knows of each step, and where to do it. */
const DETAILS: Record<StepName, Detail> = {
  address: ({ agent: { apiEndpoint } }) =>
    apiEndpoint === undefined ? (
      <>
        Customers and the catalog need it. <a href="#address">Set the address</a>
      </>
    ) : (
      <>
        Now <code>{apiEndpoint}</code>. <a href="#address">Change it</a>
      </>
    ),
  price: ({ selling: { terms } }) =>
    terms ? (
      `${terms.prices.length} ${terms.prices.length === 1 ? 'price' : 'prices'} set.`
    ) : (
      <>
        <a href="#prices">Add a price</a> for a route of your API.
      </>
    ),
  account: ({ state, selling: { terms, mint }, isChecking, checkAgain }) => {
    if (state === 'done') return 'Your wallet can receive payments.'
    if (!terms) return 'Checked once you have a price.'
    return (
      <>
        Your wallet can’t receive{' '}
        {terms.missing.map(({ asset }, index) => (
          <span key={asset}>
            {index > 0 && ' and '}
            {asset === mint ? 'CRED' : <Wallet address={asset} />}
          </span>
        ))}{' '}
        yet. Add any amount of it to your wallet: this opens the account.{' '}
        <Button isBusy={isChecking} onClick={checkAgain}>
          Check again
        </Button>
      </>
    )
  },
  key: ({ state, keyMadeAt }) => {
    if (keyMadeAt !== undefined) return 'You created one on this visit. Give it to your server.'
    if (state === 'done') return 'Your agent has one.'
    return (
      <>
        Your server settles payments with it. <a href="#key">Create a key</a>
      </>
    )
  },
  credit: ({ state, selling: { credit, fee } }) =>
    state === 'done' ? (
      <>
        <Cred amount={credit} /> left{fee !== undefined && `, about ${requestsWords(credit, fee)}`}.
      </>
    ) : (
      <>
        {credit > 0n && (
          <>
            <Cred amount={credit} /> is less than the fee of one request.{' '}
          </>
        )}
        It pays the network fee of each request. Payments are refused without it.{' '}
        <a href="#credit">Buy credit</a>
      </>
    ),
  server: ({ state, keyMadeAt, selling }) => {
    if (state === 'done') return 'It has settled a payment.'
    if (keyMadeAt !== undefined && selling.sales.lastSettled)
      return 'Give your server the new key. This is confirmed by the next payment.'
    return (
      <>
        The service sees your server only when it settles a payment. <a href="#server">Copy a server</a>
      </>
    )
  },
  payment: ({ state, selling: { sales, terms } }) => {
    if (sales.lastSettled)
      return (
        <>
          Last paid request: <Time at={sales.lastSettled.createdAt} />
        </>
      )
    if (state === 'unknown') return `None of your wallet’s newest ${NEWEST} payments is for this agent.`
    return <>No request has been paid for yet. {terms && <a href="#customer">Pay for one yourself</a>}</>
  },
  listed: ({ state, selling: { routes } }) => {
    if (state === 'done') return 'Customers’ software finds a route a few minutes after it is listed.'
    if (routes.some(({ state }) => state === 'rejected'))
      return (
        <>
          A route isn’t listed. <a href="#catalog">See why</a>
        </>
      )
    if (routes.some(({ state }) => state === 'pending'))
      return (
        <>
          A route is being checked, and then listed. <a href="#catalog">See the check</a>
        </>
      )
    return 'A route is listed soon after its first paid request.'
  },
}
