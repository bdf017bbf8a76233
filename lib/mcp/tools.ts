/** The Workers that tools call, by the name of the service binding. */
export type WorkerName = 'AGENTS' | 'VAULT' | 'REPUTATION' | 'PAYMENTS' | 'WORK' | 'EVENTS'

/** An operation of the API, and the Worker that serves it. */
export type Call = { worker: WorkerName; method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }

/**
 * The effect of a call. Clients ask their users before calls that commit money or end something.
 * `repeatable`: the same call again changes nothing more.
 */
type Effect = 'reads' | 'commits money' | 'commits money, repeatable' | 'ends, repeatable'

/**
 * A tool: one operation, or one of several by its argument `action`. Its schema and docs come from the API
 * description, unless it has docs of its own.
 */
export type Tool = { effect: Effect; docs?: { title: string; description: string } } & (
  | {
      call: Call
      /** The arguments of the tool, all of them required. By default it has the operation's. */
      only?: readonly string[]
    }
  | { actions: Record<string, Call> }
)

const operation = (worker: WorkerName, method: Call['method'], path: string): { call: Call } => ({
  call: { worker, method, path },
})

const work = (method: Call['method'], path: string): Call => ({ worker: 'WORK', method, path })

const stacking = (path: string): Call => ({ worker: 'VAULT', method: 'POST', path })

export const tools: Record<string, Tool> = {
  search_agents: { effect: 'reads', ...operation('AGENTS', 'GET', '/agents') },
  get_agent: { effect: 'reads', ...operation('AGENTS', 'GET', '/agents/{id}') },
  get_reputation: { effect: 'reads', ...operation('REPUTATION', 'GET', '/reputation') },
  quote_stake: { effect: 'reads', ...operation('VAULT', 'GET', '/vault/quote') },
  list_my_hires: { effect: 'reads', ...operation('AGENTS', 'GET', '/agents/hire') },
  get_hire: { effect: 'reads', ...operation('AGENTS', 'GET', '/agents/hire/{id}') },
  hire_agent: { effect: 'commits money', ...operation('AGENTS', 'POST', '/agents/hire') },
  end_hire: { effect: 'ends, repeatable', ...operation('AGENTS', 'DELETE', '/agents/hire') },
  set_agent_price: {
    effect: 'commits money, repeatable',
    ...operation('AGENTS', 'PATCH', '/agents/{id}'),
    only: ['id', 'feeModel', 'feeAmount'],
    docs: {
      title: 'Set an agent’s price',
      description:
        'Sets the price of later hires of the caller’s agent. Existing hires keep their price. Needs the permission agents:register.',
    },
  },
  list_charges: { effect: 'reads', ...operation('PAYMENTS', 'GET', '/payments/charges') },
  get_charge: { effect: 'reads', ...operation('PAYMENTS', 'GET', '/payments/charges/{id}') },
  list_hire_budgets: { effect: 'reads', ...operation('PAYMENTS', 'GET', '/payments/budgets') },
  report_charge: {
    effect: 'commits money, repeatable',
    ...operation('PAYMENTS', 'POST', '/payments/charges'),
  },
  list_jobs: { effect: 'reads', ...operation('WORK', 'GET', '/jobs') },
  get_job: { effect: 'reads', ...operation('WORK', 'GET', '/jobs/{id}') },
  read_job_texts: { effect: 'reads', ...operation('WORK', 'GET', '/jobs/{id}/texts') },
  order_job: { effect: 'commits money, repeatable', ...operation('WORK', 'POST', '/jobs') },
  work_on_job: {
    effect: 'commits money, repeatable',
    actions: {
      accept: work('POST', '/jobs/{id}/accept'),
      deliver: work('POST', '/jobs/{id}/delivery'),
      end: work('DELETE', '/jobs/{id}'),
    },
    docs: {
      title: 'Work on a job',
      description:
        'Acts for a side of a job. `accept` needs termsHash; `deliver` needs text, which never changes; `end` withdraws or declines an order, or gives up the work. `actions` of the job says what is possible. Needs the permission jobs:use.',
    },
  },
  decide_job: {
    effect: 'commits money, repeatable',
    actions: {
      approve: work('POST', '/jobs/{id}/approve'),
      object: work('POST', '/jobs/{id}/object'),
      concede: work('POST', '/jobs/{id}/concede'),
      split: work('POST', '/jobs/{id}/split'),
    },
    docs: {
      title: 'Decide a job',
      description:
        'Decides who gets the price of a job. The hirer may `approve` it, or `object` with a reason; the agent’s owner may `concede`. Both may propose a `split` with agentAmount. It can’t be undone. Needs the permission jobs:decide.',
    },
  },
  build_vault_transaction: {
    effect: 'commits money',
    actions: {
      stack: stacking('/vault/stack'),
      unstack: stacking('/vault/unstack'),
      claim: stacking('/vault/claim'),
      leftovers: stacking('/vault/leftovers'),
    },
    docs: {
      title: 'Build a vault transaction',
      description:
        'Returns a transaction for the caller’s wallet to sign and send; no funds move before that. `stack` needs amount and lockDays; `unstack` and `leftovers` need positionId; `claim` takes positionId, or nothing for all positions. Show the user `message` before they sign. Needs the permission vault:transact.',
    },
  },
  list_events: { effect: 'reads', ...operation('EVENTS', 'GET', '/events') },
}

/** Returns the operations that a tool calls. */
export const callsOf = (tool: Tool): Call[] => ('call' in tool ? [tool.call] : Object.values(tool.actions))

/** Whether every Worker that a tool calls is deployed. */
export const isOffered = (tool: Tool | undefined, workers: Record<WorkerName, unknown>): boolean =>
  tool !== undefined && callsOf(tool).every(({ worker }) => workers[worker] !== undefined)
