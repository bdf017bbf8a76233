import '../../schema/words.ts'

/** The Workers that tools call, by the names of our service bindings. */
export type WorkerName = 'AGENTS' | 'VAULT' | 'REPUTATION' | 'PAYMENTS' | 'EVENTS'

/** An endpoint of the API, and the Worker that has it. */
export type Call = { worker: WorkerName; method: 'GET' | 'POST' | 'DELETE'; path: string }

/**
 * What a call does, for clients that ask their users before some: of ours all that change anything, since
 * they commit money or take something away. `repeatable`: the same call again changes nothing more.
 */
type Effect = 'reads' | 'commits money' | 'commits money, repeatable' | 'ends, repeatable'

/**
 * A tool: one endpoint, or one of several by its argument `action`. Its words and schemas are those of the
 * endpoint in the API description, from which lib/mcp/tools.json is generated.
 */
export type Tool = { effect: Effect } & (
  | { call: Call }
  | { actions: Record<string, Call>; words: false | { title: string; description: string } }
)

const endpoint = (worker: WorkerName, method: Call['method'], path: string): { call: Call } => ({
  call: { worker, method, path },
})

const stacking = (path: string): Call => ({ worker: 'VAULT', method: 'POST', path })

export const tools: Record<string, Tool> = {
  search_agents: { effect: 'reads', ...endpoint('AGENTS', 'GET', '/agents') },
  get_agent: { effect: 'reads', ...endpoint('AGENTS', 'GET', '/agents/{id}') },
  get_reputation: { effect: 'reads', ...endpoint('REPUTATION', 'GET', '/reputation') },
  quote_stake: { effect: 'reads', ...endpoint('VAULT', 'GET', '/vault/quote') },
  list_my_hires: { effect: 'reads', ...endpoint('AGENTS', 'GET', '/agents/hire') },
  hire_agent: { effect: 'commits money', ...endpoint('AGENTS', 'POST', '/agents/hire') },
  end_hire: { effect: 'ends, repeatable', ...endpoint('AGENTS', 'DELETE', '/agents/hire') },
  list_charges: { effect: 'reads', ...endpoint('PAYMENTS', 'GET', '/payments/charges') },
  report_charge: {
    effect: 'commits money, repeatable',
    ...endpoint('PAYMENTS', 'POST', '/payments/charges'),
  },
  build_vault_transaction: {
    effect: 'commits money',
    actions: {
      stack: stacking('/vault/stack'),
      unstack: stacking('/vault/unstack'),
      claim: stacking('/vault/claim'),
      leftovers: stacking('/vault/leftovers'),
    },
    words: WORDS && {
      title: 'Build a vault transaction',
      description:
        'Returns a transaction for the caller’s wallet to sign and send; nothing moves before. `stack` takes amount and lockDays, `unstack` and `leftovers` positionId, `claim` positionId or, for all positions, nothing. Show the user `message` before they sign. Needs the permission vault:transact.',
    },
  },
  list_events: { effect: 'reads', ...endpoint('EVENTS', 'GET', '/events') },
}
