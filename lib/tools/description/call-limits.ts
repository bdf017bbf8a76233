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

/**
 * A limit: the calls, how many, the keys that they count by ({@link KEYS}), the answer beyond, and whom or
 * what it protects.
 */
type Row = [calls: string, howMany: string, by: string, beyond: string, protects: string]

/** What calls count by: who shares it, and what a new one costs a caller. */
export const KEYS: Record<string, [sharedBy: string, costs: string]> = {
  address: [
    'everyone behind it: an office, a mobile network, a hosted client’s users',
    'a host or a line; IPv6 counts by its first 56 bits',
  ],
  wallet: ['its sessions and programs', 'nothing'],
  'session epoch': ['the sessions since its wallet ended all', 'a login, limited by address'],
  grant: ['one program of a wallet', 'a consent, limited by address'],
  agent: ['its owner’s programs and servers', 'a registration, limited by address'],
  'key version': ['the servers with that key', 'a call with a session'],
  payment: ['a buyer and a seller', 'a signature for CRED that the buyer has'],
  payer: ['the programs of a wallet that buys', 'nothing'],
  owner: ['all agents of a wallet', 'nothing'],
  'agents’ owner': ['all agents of a wallet', 'nothing'],
  hire: ['its two sides', 'a hire, limited by address'],
  host: ['all wallets that name it', 'a name in the DNS'],
  'document’s host': ['all clients at it', 'a name in the DNS'],
  destination: ['one wallet’s endpoints with a URL', 'nothing'],
  all: ['everyone', 'can’t be had'],
}

/** Returns the keys that a row's `by` names. */
export const keysIn = (by: string): string[] =>
  by.replace(/; each .* by itself$/, '; grant').split(/; | and |, /)

/** A rate limiting binding's limit: "600 a minute (`READ_LIMIT`)". */
const aMinute = (name: LimitName, note = ''): string =>
  `${number((rateLimits[name] * 60) / PERIOD_S)} a minute${note} (\`${name}\`)`

const rates: Row[] = [
  [
    'with a session token, valid or not',
    aMinute('ADDRESS_LIMIT'),
    'address',
    '429',
    'the database, from wallets made for nothing',
  ],
  [
    'with a session',
    aMinute('WALLET_LIMIT'),
    'session epoch; each grant by itself',
    '429',
    'the wallet’s other programs and its next session',
  ],
  [
    'with a session',
    aMinute('ADDRESS_LIMIT'),
    'wallet',
    '429',
    'the database, from logins that begin new epochs',
  ],
  [
    'for tokens of programs; that end programs’ tokens',
    aMinute('ADDRESS_LIMIT', ' each'),
    'address',
    '429',
    'the database, from ended grants',
  ],
  [
    'the same, with a code or token that proves nothing',
    aMinute('READ_LIMIT', ' together'),
    'address',
    '429',
    'the deployer’s bill',
  ],
  [
    'the same, with a proven code or token',
    aMinute('WALLET_LIMIT', ' each'),
    'grant',
    '429',
    'the wallet’s other programs',
  ],
  [
    'that end sessions or connections',
    aMinute('WALLET_LIMIT'),
    'wallet and address',
    '429',
    'an owner who ends a stolen session',
  ],
  [
    'public reads; messages to the MCP server',
    aMinute('READ_LIMIT', ' each'),
    'address',
    '429',
    'the deployer’s bill',
  ],
  [
    'messages to the MCP server with a valid token',
    aMinute('READ_LIMIT'),
    'session epoch; each grant by itself',
    '429',
    'other users of a hosted client',
  ],
  [
    'reads of a client’s metadata document',
    aMinute('PUBLIC_WRITE_LIMIT'),
    'address and document’s host',
    '429',
    'the host that is read',
  ],
  [
    'challenges of logins; logins, consents and their challenges, assertions of keys',
    aMinute('LOGIN_LIMIT', ' each'),
    'address',
    '429',
    'KV and the database, from forged logins',
  ],
  [
    'signed registrations, messages to sign',
    aMinute('PUBLIC_WRITE_LIMIT'),
    'address',
    '429',
    'the deployer’s bill, from forged signatures',
  ],
  ['pioneer claims', aMinute('PIONEER_LIMIT'), 'address', '429', 'invite codes, from guesses'],
  [
    'deep health, `GET /v1/health/workers`',
    aMinute('HEALTH_LIMIT', ' together'),
    'address',
    '429',
    'the node and the database, from probes',
  ],
  [
    'of the facilitator',
    aMinute('FACILITATOR_LIMIT'),
    'agent and key version',
    '429',
    'the database, from one agent’s servers',
  ],
  ['of the facilitator, with an unknown key', aMinute('READ_LIMIT'), 'address', '429', 'keys, from guesses'],
  [
    'with one payment, once its signature is checked',
    aMinute('WALLET_LIMIT'),
    'payment',
    '200 with the reason',
    'the node, from one signature sent again',
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
      'the database and the list of agents, from floods',
    ],
    [
      'changes of agents by owners',
      `${setting('STATUS_CHANGES_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'the database, and hirers from agents that flicker',
    ],
    [
      'changes of an agent by its owner',
      `${CHANGES_PER_DAY} a day`,
      'agent',
      '429',
      'hirers, from an agent that changes as they read',
    ],
    [
      'active agents; all agents',
      `${number(ACTIVE_AGENTS_PER_WALLET)}; ${number(AGENTS_PER_WALLET)}`,
      'wallet',
      '409 `quota_exceeded`',
      'the list of agents, from one owner',
    ],
    [
      'changes of agents’ prices for requests',
      `${setting('PRICE_CHANGES_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'the database: former prices stay valid for a while',
    ],
    [
      'checks of routes that an owner asks for',
      `${RESOURCE_PROBES_PER_HOUR} an hour`,
      'owner',
      '429',
      'the hosts that are probed',
    ],
    [
      'prices of an agent; former ones still valid',
      `${MAX_REQUEST_PRICES}; ${MAX_SUPERSEDED_PRICES}`,
      'agent',
      '400; 429',
      'the seller’s catalog entry and the database',
    ],
    [
      'consents to clients, tokens and keys',
      `${setting('CONSENTS_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'wallets’ owners, from lists of programs they never chose',
    ],
    [
      'active grants of clients, tokens and keys',
      `${GRANTS_PER_WALLET}`,
      'wallet',
      'the least recently used ends',
      'the wallet’s owner, who reads the list',
    ],
    [
      'lamports of budgets of hires by a client',
      'its spending limit, if it has one',
      'grant',
      '403 `spend_limit_exceeded`',
      'the hirer, from its program',
    ],
    [
      'new hires',
      `${setting('HIRES_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'agents’ owners, from free hires, and the database',
    ],
    ['new hires', `${number(HIRES_PER_DAY)} a day`, 'wallet', '429', 'the database, from one paying wallet'],
    [
      'active hires',
      number(ACTIVE_HIRES_PER_WALLET),
      'wallet',
      '409 `quota_exceeded`',
      'the Clock’s runs, which renew them',
    ],
    [
      'renewals without use',
      '[three in a row](../lib/agents/README.md#renewals)',
      'hire',
      'it expires',
      'the hirer, who forgot it',
    ],
    [
      'new jobs',
      `${setting('JOBS_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'agents’ queues, and the database',
    ],
    [
      'unfunded jobs; jobs that have not ended',
      `${UNFUNDED_JOBS}, or ${UNFUNDED_JOBS_UNPAID} of one that never paid; ${UNENDED_JOBS}`,
      'wallet',
      '409 `quota_exceeded`',
      'agents’ queues, from one hirer',
    ],
    [
      'orders that wait',
      `${QUEUED_JOBS}`,
      'agent',
      'another order yields',
      'the agent’s owner, who reads the queue',
    ],
    [
      'charges',
      `${setting('CHARGES_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'hirers, from false charges, and the database',
    ],
    [
      'charges',
      `${number(CHARGES_PER_DAY)} a day`,
      'agents’ owner',
      '429',
      'the database, from one paying owner',
    ],
    [
      'unpaid charges, voided ones included',
      `${number(UNPAID_CHARGES)} more than paid ones`,
      'agents’ owner',
      '409 `quota_exceeded`',
      'hirers, from charges that nobody pays',
    ],
    [
      'lamports of charges a period',
      `\`budgetLimit\`, or ${MAX_CHARGED}`,
      'hire',
      '409 `budget_exhausted`',
      'the hirer, who set it',
    ],
    [
      'routes in the x402 catalog; its value in KV',
      `${number(MAX_RANKED + MAX_NEWEST)}, and ${MAX_OF_OWNER} of an owner; ${MAX_BYTES / 1_000_000} MB`,
      'all; owner',
      'left out, `partialResults`',
      'buyers, whose pages it fills',
    ],
    [
      'payments in flight, failures',
      '[lib/x402](../lib/x402/README.md#credit-and-limits)',
      'payer, agent, owner',
      '200',
      'sellers, from payers who never pay',
    ],
    [
      'SOL that payments cost the fee payer; a tenth of it for one owner',
      setting('X402_SOL_PER_DAY', 'a day'),
      'all',
      '200',
      'the fee payer’s SOL',
    ],
    [
      'transactions built without tokens',
      setting('EMPTY_BUILDS_PER_ADDRESS', 'an hour together'),
      'address',
      '429',
      'the node, and the database',
    ],
    [
      'open positions, including open stacks',
      `${MAX_OPEN_POSITIONS}`,
      'wallet',
      '409 `quota_exceeded`',
      'the owner’s page, and the Clock’s runs',
    ],
    [
      'cosigned stacks that are open',
      `${MAX_OPEN_STACKS}`,
      'wallet',
      '409 `too_many_open_stacks`',
      'the treasury’s yield of the day',
    ],
    [
      'CRED of yield',
      setting('VAULT_YIELD_PER_WALLET', 'a day'),
      'wallet',
      '409 `yield_limit` or 503',
      'the treasury, from one wallet',
    ],
    ['CRED of yield', setting('VAULT_YIELD_PER_DAY', 'a day'), 'all', 'the same', 'the treasury'],
    [
      'attestations',
      `${setting('ATTESTATIONS_PER_ADDRESS', 'an hour')}*`,
      'address',
      '429',
      'issuers and oracles, who read them',
    ],
    ['attestations', `${ATTESTATIONS_PER_DAY} a day`, 'wallet', '429', 'oracles, from one wallet'],
    [
      'expedited verifications',
      setting('EXPEDITED_PER_ADDRESS', 'a day'),
      'address',
      'the next are normal',
      'wallets that wait for an oracle',
    ],
    [
      'open expedited verifications',
      `${MAX_OPEN_EXPEDITED}`,
      'wallet',
      'the next are normal',
      'wallets that wait for an oracle',
    ],
    [
      'ratings; revisions',
      '1 each, from `MIN_PAID` on',
      'hire; agent and payer',
      '409',
      'readers of ratings, from bought ones',
    ],
    [
      'new registry keys, new endpoints of keys',
      setting('REGISTRY_KEYS_PER_ADDRESS', 'an hour'),
      'address',
      '429',
      'the registry, from floods',
    ],
    ['other changes of registry keys', 'ten times as many', 'address', '429', 'the database'],
    [
      'webhook endpoints, without agents’ own',
      `${WEBHOOK_ENDPOINTS_PER_WALLET}`,
      'wallet',
      '409 `quota_exceeded`',
      'the receivers of webhooks, and the database',
    ],
    [
      'new webhook endpoints, test events',
      `${setting('WEBHOOKS_PER_ADDRESS', 'an hour together')}*`,
      'address',
      '429',
      'the host that is sent to',
    ],
    [
      'changes of webhook endpoints',
      'twice as many*',
      'address',
      '429',
      'the database: a change can make thousands of deliveries due',
    ],
    ['test events', `1 in ${span(TEST_INTERVAL_MS)}`, 'wallet', '429', 'the receiver'],
    [
      'sockets of GET /events/live',
      `${MAX_SOCKETS}`,
      'wallet',
      '429 `too_many_sockets`',
      'the Durable Object’s memory',
    ],
    [
      'their messages that acknowledge nothing',
      `${MAX_IDLE_MESSAGES} a minute`,
      'wallet',
      'closed, 4429',
      'the Durable Object, which each message wakes',
    ],
    [
      'their pages of the log',
      `${MAX_QUICK_READS} a minute, then ${rate(PACE_MS)}`,
      'wallet',
      'delayed',
      'the database, which each page wakes',
    ],
    [
      'webhook attempts',
      '[a table](../lib/events/sending/README.md#limits)',
      'destination, host, wallet',
      'delayed',
      'receivers, and the queue of other wallets',
    ],
    [
      'probes of agent endpoints',
      '[lib/liveness](../lib/liveness/README.md)',
      'wallet, host',
      'delayed',
      'the hosts that are probed',
    ],
  ]
}

const lines = (rows: readonly (readonly string[])[]): string[] =>
  rows.map((cells) => `| ${cells.join(' | ')} |\n`)

/** The rows of the limits a minute in functions/limits.md. */
export const rateLimitRows = (): string[] => lines(rates)

/** The rows of the other limits in functions/limits.md. */
export const countedLimitRows = (): string[] => lines(countedRows())

/** The rows of the keys in functions/limits.md. */
export const limitKeyRows = (): string[] => lines(Object.entries(KEYS).map(([key, words]) => [key, ...words]))

/** All limits of functions/limits.md. */
export const limitRows = (): Row[] => [...rates, ...countedRows()]
