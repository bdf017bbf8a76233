import {
  ACTIVE_AGENTS_PER_WALLET,
  ACTIVE_HIRES_PER_WALLET,
  AGENTS_PER_WALLET,
  ATTESTATIONS_PER_DAY,
  CHARGES_PER_DAY,
  HIRES_PER_DAY,
  MAX_CHARGED,
  MAX_REQUEST_PRICES,
  UNPAID_CHARGES,
} from '../../../schema/values.ts'
import { CHANGES_PER_DAY } from '../../agents/rules.ts'
import { GRANTS_PER_WALLET } from '../../auth/grants/rules.ts'
import { type LimitName, PERIOD_S, rateLimits } from '../../http/rate-limit.ts'
import { MAX_IDLE_MESSAGES, MAX_QUICK_READS, PACE_MS } from '../../live/pace.ts'
import { MAX_SOCKETS } from '../../live/socket-state.ts'
import { TEST_INTERVAL_MS, WEBHOOK_ENDPOINTS_PER_WALLET } from '../../quotas/rules.ts'
import { MAX_OPEN_EXPEDITED } from '../../reputation/rules.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS } from '../../vault/limits.ts'
import { QUEUED_JOBS, UNENDED_JOBS, UNFUNDED_JOBS, UNFUNDED_JOBS_UNPAID } from '../../work/rules.ts'
import { MAX_BYTES, MAX_NEWEST, MAX_OF_OWNER, MAX_RANKED } from '../../x402/catalog/rules.ts'
import { MAX_SUPERSEDED_PRICES, RESOURCE_PROBES_PER_HOUR } from '../../x402/rules.ts'
import { readWorkers } from '../wrangler.ts'
import { number, rate, span } from './units.ts'

/** What is limited, how many, of what the service counts them, and what happens beyond. */
type Row = [calls: string, howMany: string, by: string, beyond: string]

/** A rate limiting binding's limit: "600 a minute (`READ_LIMIT`)". */
const aMinute = (name: LimitName, note = ''): string =>
  `${number((rateLimits[name] * 60) / PERIOD_S)} a minute${note} (\`${name}\`)`

const rates: Row[] = [
  ['with a session token, valid or not', aMinute('ADDRESS_LIMIT'), 'address', '429'],
  ['with a session', aMinute('WALLET_LIMIT'), 'session epoch; each grant by itself', '429'],
  ['with a session', aMinute('ADDRESS_LIMIT'), 'wallet', '429'],
  ['for tokens of programs; that end programs’ tokens', aMinute('ADDRESS_LIMIT', ' each'), 'address', '429'],
  ['the same, with a proven code or token', aMinute('WALLET_LIMIT', ' each'), 'grant', '429'],
  ['that end sessions or connections', aMinute('WALLET_LIMIT'), 'wallet and address', '429'],
  ['public reads; messages to the MCP server', aMinute('READ_LIMIT', ' each'), 'address', '429'],
  [
    'messages to the MCP server with a valid token',
    aMinute('READ_LIMIT'),
    'session epoch; each grant by itself',
    '429',
  ],
  [
    'reads of a client’s metadata document',
    aMinute('PUBLIC_WRITE_LIMIT'),
    'address and document’s host',
    '429',
  ],
  [
    'challenges of logins; logins, consents and their challenges, assertions of keys',
    aMinute('LOGIN_LIMIT', ' each'),
    'address',
    '429',
  ],
  ['signed registrations, messages to sign', aMinute('PUBLIC_WRITE_LIMIT'), 'address', '429'],
  ['pioneer claims', aMinute('PIONEER_LIMIT'), 'address', '429'],
  ['deep health, `GET /v1/health/workers`', aMinute('HEALTH_LIMIT', ' together'), 'address', '429'],
  ['of the facilitator', aMinute('FACILITATOR_LIMIT'), 'agent and key version', '429'],
  ['of the facilitator, with an unknown key', aMinute('READ_LIMIT'), 'address', '429'],
  [
    'with one payment, once its signature is checked',
    aMinute('WALLET_LIMIT'),
    'payment',
    '200 with the reason',
  ],
]

/** The rows of limits that the database counts, with the defaults of wrangler.toml. */
function countedRows(): Row[] {
  const vars: Record<string, string> = Object.assign({}, ...readWorkers().map((worker) => worker.vars))
  const setting = (name: string, per: string): string => {
    const value = vars[name]
    if (value === undefined) throw new Error(`wrangler.toml has no variable ${name}`)
    return `${number(Number(value))} ${per} (\`${name}\`)`
  }
  return [
    [
      'new agents, new agent endpoints',
      `${setting('AGENTS_PER_ADDRESS', 'an hour together')}*`,
      'address',
      '429',
    ],
    ['changes of agents by owners', `${setting('STATUS_CHANGES_PER_ADDRESS', 'an hour')}*`, 'address', '429'],
    ['changes of an agent by its owner', `${CHANGES_PER_DAY} a day`, 'agent', '429'],
    [
      'active agents; all agents',
      `${number(ACTIVE_AGENTS_PER_WALLET)}; ${number(AGENTS_PER_WALLET)}`,
      'wallet',
      '409 `quota_exceeded`',
    ],
    [
      'changes of agents’ prices for requests',
      `${setting('PRICE_CHANGES_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
    ],
    ['checks of routes that an owner asks for', `${RESOURCE_PROBES_PER_HOUR} an hour`, 'owner', '429'],
    [
      'prices of an agent; former ones still valid',
      `${MAX_REQUEST_PRICES}; ${MAX_SUPERSEDED_PRICES}`,
      'agent',
      '400; 429',
    ],
    [
      'consents to clients, tokens and keys',
      `${setting('CONSENTS_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
    ],
    [
      'active grants of clients, tokens and keys',
      `${GRANTS_PER_WALLET}`,
      'wallet',
      'the least recently used ends',
    ],
    [
      'lamports of budgets of hires by a client',
      'its spending limit, if it has one',
      'grant',
      '403 `spend_limit_exceeded`',
    ],
    ['new hires', `${setting('HIRES_PER_ADDRESS', 'an hour')}*`, 'address', '429'],
    ['new hires', `${number(HIRES_PER_DAY)} a day`, 'wallet', '429'],
    ['active hires', number(ACTIVE_HIRES_PER_WALLET), 'wallet', '409 `quota_exceeded`'],
    ['renewals without use', '[three in a row](../lib/agents/README.md#renewals)', 'hire', 'it expires'],
    ['new jobs', `${setting('JOBS_PER_ADDRESS', 'an hour')}*`, 'address', '429'],
    [
      'unfunded jobs; jobs that have not ended',
      `${UNFUNDED_JOBS}, or ${UNFUNDED_JOBS_UNPAID} of one that never paid; ${UNENDED_JOBS}`,
      'wallet',
      '409 `quota_exceeded`',
    ],
    ['orders that wait', `${QUEUED_JOBS}`, 'agent', 'another order yields'],
    ['charges', `${setting('CHARGES_PER_ADDRESS', 'an hour')}*`, 'address', '429'],
    ['charges', `${number(CHARGES_PER_DAY)} a day`, 'agents’ owner', '429'],
    [
      'unpaid charges, voided ones included',
      `${number(UNPAID_CHARGES)} more than paid ones`,
      'agents’ owner',
      '409 `quota_exceeded`',
    ],
    ['lamports of charges a period', `\`budgetLimit\`, or ${MAX_CHARGED}`, 'hire', '409 `budget_exhausted`'],
    [
      'routes in the x402 catalog; its value in KV',
      `${number(MAX_RANKED + MAX_NEWEST)}, and ${MAX_OF_OWNER} of an owner; ${MAX_BYTES / 1_000_000} MB`,
      'all; owner',
      'left out, `partialResults`',
    ],
    [
      'payments in flight, failures',
      '[lib/x402](../lib/x402/README.md#credit-and-limits)',
      'payer, agent, owner',
      '200',
    ],
    [
      'transactions built without tokens',
      setting('EMPTY_BUILDS_PER_ADDRESS', 'an hour together'),
      'address',
      '429',
    ],
    ['open positions, including open stacks', `${MAX_OPEN_POSITIONS}`, 'wallet', '409 `quota_exceeded`'],
    ['cosigned stacks that are open', `${MAX_OPEN_STACKS}`, 'wallet', '409 `too_many_open_stacks`'],
    ['CRED of yield', setting('VAULT_YIELD_PER_WALLET', 'a day'), 'wallet', '409 `yield_limit` or 503'],
    ['CRED of yield', setting('VAULT_YIELD_PER_DAY', 'a day'), 'all', 'the same'],
    ['attestations', `${setting('ATTESTATIONS_PER_ADDRESS', 'an hour')}*`, 'address', '429'],
    ['attestations', `${ATTESTATIONS_PER_DAY} a day`, 'wallet', '429'],
    ['expedited verifications', setting('EXPEDITED_PER_ADDRESS', 'a day'), 'address', 'the next are normal'],
    ['open expedited verifications', `${MAX_OPEN_EXPEDITED}`, 'wallet', 'the next are normal'],
    ['ratings; revisions', '1 each, from `MIN_PAID` on', 'hire; agent and payer', '409'],
    [
      'new registry keys, new endpoints of keys',
      setting('REGISTRY_KEYS_PER_ADDRESS', 'an hour'),
      'address',
      '429',
    ],
    ['other changes of registry keys', 'ten times as many', 'address', '429'],
    [
      'webhook endpoints, without agents’ own',
      `${WEBHOOK_ENDPOINTS_PER_WALLET}`,
      'wallet',
      '409 `quota_exceeded`',
    ],
    [
      'new webhook endpoints, test events',
      `${setting('WEBHOOKS_PER_ADDRESS', 'an hour together')}*`,
      'address',
      '429',
    ],
    ['changes of webhook endpoints', 'twice as many*', 'address', '429'],
    ['test events', `1 in ${span(TEST_INTERVAL_MS)}`, 'wallet', '429'],
    ['sockets of GET /events/live', `${MAX_SOCKETS}`, 'wallet', '429 `too_many_sockets`'],
    ['their messages that acknowledge nothing', `${MAX_IDLE_MESSAGES} a minute`, 'wallet', 'closed, 4429'],
    ['their pages of the log', `${MAX_QUICK_READS} a minute, then ${rate(PACE_MS)}`, 'wallet', 'delayed'],
    [
      'webhook attempts',
      '[a table](../lib/events/sending/README.md#limits)',
      'destination, host, wallet',
      'delayed',
    ],
    ['probes of agent endpoints', '[lib/liveness](../lib/liveness/README.md)', 'wallet, host', 'delayed'],
  ]
}

const lines = (rows: Row[]): string[] => rows.map((cells) => `| ${cells.join(' | ')} |\n`)

/** The rows of the limits a minute in functions/limits.md. */
export const rateLimitRows = (): string[] => lines(rates)

/** The rows of the other limits in functions/limits.md. */
export const countedLimitRows = (): string[] => lines(countedRows())
