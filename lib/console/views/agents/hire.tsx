import { useEffect, useRef, useState } from 'preact/hooks'
import type { Agent, Hire } from '../../../client/generated/types.ts'
import { AgentCredError, type Client, createClient, formatCred } from '../../../client/index.ts'
import { FeeShare } from '../../kit/fee.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, CheckField, ChecksField, TextField, useAmount } from '../../kit/inputs.tsx'
import { layerName } from '../../kit/layers.ts'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Link, Time } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { BASE_URL, clock, useConnection } from '../../wallet/connection.tsx'
import { remembered } from '../../wallet/remembered.ts'
import { BudgetMeter, HireStatus } from '../hires/facts.tsx'
import { takesJobs } from './job-terms.tsx'

/** The number of the wallet's newest hires in which a hire of the agent is searched. */
const MAX_READ = 1_000

/** Finds the wallet's active hire of an agent. */
async function activeHire(client: Client, agentId: string, signal: AbortSignal): Promise<Hire | undefined> {
  let read = 0
  for await (const hire of client.list('GET /agents/hire', { query: { limit: 100 }, signal })) {
    if (hire.agent.id === agentId && hire.status === 'active') return hire
    read += 1
    if (read === MAX_READ) return undefined
  }
  return undefined
}

/**
 * Shows the wallet's hire of an agent, or the form that makes one. Without a session it offers the form:
 * nobody is asked to sign in for looking at an agent.
 * @param onFound receives the wallet's hire whenever it changes, and undefined when this view goes
 */
export function OwnHire({
  agent,
  wallet,
  onChanged,
  onFound,
}: {
  agent: Agent
  wallet: string
  onChanged: () => void
  onFound: (hire?: Hire) => void
}) {
  const { session } = useConnection()
  const token = session?.sessionToken
  const [made, setMade] = useState<Hire>()
  const { loaded, reload } = useLoaded(
    `${wallet} ${agent.id}`,
    async (signal) => {
      if (!session) return { hire: undefined }
      // It has no wallet, so an ended session is an error and opens no window of the wallet.
      const client = createClient({ baseUrl: BASE_URL, fetch: clock.fetch, session })
      return { hire: await activeHire(client, agent.id, signal).catch(noneSignedIn) }
    },
    ofAgent(agent.id, 'hire', 'charge'),
  )
  const asked = useRef(token)
  useEffect(() => {
    if (asked.current !== token) reload()
    asked.current = token
  }, [token, reload])
  const isFresh = loaded.state === 'ready' && loaded.isFresh
  // The session of a login that begins a hire exists before the hire.
  useEffect(() => {
    if (isFresh) setMade(undefined)
  }, [loaded])
  const own = 'data' in loaded ? (loaded.data?.hire ?? made) : undefined
  useEffect(() => {
    onFound(own)
    return () => onFound(undefined)
  }, [own])
  return (
    <Show loaded={loaded} reload={reload}>
      {() =>
        own ? (
          <Hired hire={own} isNew={made !== undefined} />
        ) : (
          <HireForm
            agent={agent}
            onChanged={onChanged}
            onHired={(hire) => {
              setMade(hire)
              reload()
              onChanged()
            }}
          />
        )
      }
    </Show>
  )
}

/** For an ended session: what it could read is not known. */
function noneSignedIn(error: unknown): undefined {
  if (error instanceof AgentCredError && error.code === 'wallet_missing') return undefined
  throw error
}

/**
 * Shows the state of a hire, with a link to it.
 * @param isNew whether it was just made: then it is scrolled to, since the form that it replaces was longer
 */
function Hired({ hire, isNew }: { hire: Hire; isNew: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) box.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div role="status" ref={box}>
      <p>
        <strong>
          Hired until <Time at={hire.expiresAt} />.
        </strong>{' '}
        <HireStatus hire={hire} />
      </p>
      <BudgetMeter hire={hire} />
      <p>
        <Link to={`hires/${hire.id}`}>Manage hire</Link> to add funds, see charges or end it.
      </p>
    </div>
  )
}

/** Whether a text is a period that the service takes, in days. */
const isPeriod = (text: string): boolean =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 365

/** Returns why a spending limit allows no charge. */
function tooLow({ feeModel, feeAmount }: Agent, limit: bigint | undefined): string | undefined {
  const price = feeModel === 'percentage' ? 1n : BigInt(feeAmount)
  if (limit === undefined || limit >= price) return undefined
  if (limit === 0n) return 'Enter an amount above 0, or leave the field empty for no limit.'
  return `Too low for any work: one unit costs ${formatCred(price)} CRED.`
}

/** Hires an agent: its layers, a budget for each period, and the term. */
function HireForm({
  agent,
  onHired,
  onChanged,
}: {
  agent: Agent
  onHired: (hire: Hire) => void
  onChanged: () => void
}) {
  const { client } = useConnection()
  const [layers, setLayers] = useState<number[]>(agent.supportedLayers)
  const budget = useAmount('100')
  const [days, setDays] = useState('30')
  const [autoRenew, setAutoRenew] = useState(false)
  async function order() {
    const { id: agentId, feeModel, feeAmount } = agent
    const terms = {
      ...{ agentId, feeModel, feeAmount, layers },
      expiresInDays: Number(days),
      autoRenew,
      ...(budget.amount !== undefined && { budgetLimit: budget.amount }),
    }
    try {
      const hire = await client.hire(terms)
      remembered.keepOwner(hire.id, agent.pubkey)
      onHired(hire)
    } catch (error) {
      // The shown price is out of date.
      if (error instanceof AgentCredError && error.code === 'price_changed') onChanged()
      throw error
    }
  }
  return (
    <>
      <p class="small">
        You pay nothing now. The agent’s owner charges for work, up to your spending limit, and is paid from a
        hire budget that you fund when you are ready.
      </p>
      <p class="small">
        Charges are final: you can end the hire, but not dispute a charge.
        {takesJobs(agent) && (
          <>
            {' '}
            To judge work before it is paid, <Link to={`jobs/new?agent=${agent.id}`}>order a job</Link>{' '}
            instead.
          </>
        )}
      </p>
      <FeeShare />
      <Form action={order} label="Hire">
        <ChecksField
          name="layers"
          label="Categories it may work in"
          choices={agent.supportedLayers}
          labelOf={layerName}
          problem={layers.length === 0 ? 'Choose at least one category.' : undefined}
          value={layers}
          change={setLayers}
        />
        <div class="row">
          <AmountField
            name="budgetLimit"
            label="Spending limit per period, in CRED"
            hint={budget.isEmpty ? 'No limit.' : 'Leave empty for no limit.'}
            problem={tooLow(agent, budget.amount)}
            {...budget}
          />
          <TextField
            name="expiresInDays"
            label="Period in days"
            inputMode="numeric"
            hint="1 to 365"
            problem={isPeriod(days) ? undefined : 'Enter a whole number of days from 1 to 365.'}
            value={days}
            change={setDays}
          />
        </div>
        <CheckField
          label="Renew automatically at the end of each period"
          isChecked={autoRenew}
          change={setAutoRenew}
        />
      </Form>
    </>
  )
}
