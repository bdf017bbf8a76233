import { randomUUID } from 'node:crypto'
import type { Row } from './rows.ts'

/* The rows that releases with payments for requests (x402) leave in a database that goes back to 1.0.0. */

const PAYER = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'
/** Whose agent, if any, is of no recorded row. */
const OWNER = 'C2bQGXmhTVzdyMyWMtBnRHEnjXmkXhCZfeVDBcz8mHb8'
const MINT = 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8'
const AT = '2026-11-23T16:00:00Z'
/** Ids that lists show first: of a later time than any recorded one. */
let made = 0
const nextId = () => `01a20fff-ffff-7000-8000-${(++made).toString(16).padStart(12, '0')}`

export type Purchase = 'unsigned' | 'signed' | 'landed' | 'failed' | 'expired'

const row = (table: string, value: object): Row => [table, JSON.stringify(value)]

/** A purchase of credit, as the payments Worker has recorded it. */
export function purchaseRow(wallet: string, state: Purchase, id = nextId()): Row {
  const isOpen = state === 'unsigned' || state === 'signed'
  return row('payment_intents', {
    ...{ id, wallet, kind: 'buy_credit', status: isOpen ? 'open' : state, generation: 1, credit: 5_000 },
    ...{ transaction: 'AQ==', message: 'Signing buys credit.', last_valid_block_height: 204, built_slot: 1 },
    ...{ created_at: AT, asked_at: AT, resolved_at: isOpen ? null : AT },
    ...{ credited_at: state === 'landed' ? AT : null, reason: state === 'failed' ? 'failed_on_chain' : null },
    ...{ due_at: null, cosigned_message: null, network_signature: null, cosigned_at: null },
    ...(state !== 'unsigned' && {
      ...{ cosigned_message: 'AQ==', network_signature: `signature of ${id}`, cosigned_at: AT },
      due_at: isOpen ? AT : null,
    }),
  })
}

function paymentRow(agentId: string, owner: string, status: 'pending' | 'settled' | 'failed' | 'expired') {
  const id = nextId()
  const isPending = status === 'pending'
  return row('request_payments', {
    ...{ id, agent_id: agentId, owner, payer: PAYER, source: PAYER, asset: MINT, amount: 1_000, status },
    ...{
      message_hash: id,
      transaction: 'AQ==',
      network_signature: `signature of ${id}`,
      network_fee: 10_001,
    },
    ...{ last_valid_block_height: 204, debit: 10_001_000, fee: 10, created_at: AT },
    ...(isPending ? { due_at: AT, resolved_at: null } : { due_at: null, resolved_at: AT }),
    ...(status === 'settled'
      ? { landed_slot: 200, answered_at: AT }
      : { landed_slot: null, answered_at: null }),
    is_payers_fault: status === 'failed' ? true : null,
  })
}

/**
 * Makes rows about payments for requests, for the agents and wallets of recorded rows. These are keys,
 * prices, payments in every state, credit and its purchases, weights of payers, and ratings. Also events,
 * with a delivery to each of the wallet's webhook endpoints.
 */
export function requestRows(recorded: readonly Row[]): Row[] {
  const all = (table: string) =>
    recorded.flatMap(([name, json]) => (name === table ? [JSON.parse(json)] : []))
  const agents = all('agents')
  const endpoints = [...all('endpoints'), ...agents.filter(({ webhook_url }) => webhook_url != null)]
  const wallets = all('wallets')
    .slice(0, 3)
    .map(({ address }) => address)
  const owners = new Set<string>([...agents.map(({ pubkey }) => pubkey), ...wallets, OWNER])
  const eventOf = (type: string, wallet: string, agent_id: string | null) => ({
    ...{
      id: nextId(),
      xid: 1,
      seq: 500_000 + made,
      type,
      occurred_at: AT,
      recorded_at: AT,
      wallet,
      agent_id,
    },
    ...{ counterparty: agent_id && PAYER, data: { owner: wallet, amount: 1_000, failure: null } },
  })
  const events = [
    ...agents.flatMap(({ id, pubkey }) =>
      ['payment.settled', 'payment.failed', 'request.refused'].map((type) => eventOf(type, pubkey, id)),
    ),
    ...[...owners].flatMap((owner) =>
      ['credit.bought', 'credit.low'].map((type) => eventOf(type, owner, null)),
    ),
  ]
  const deliveries = events.flatMap(({ id: event_id, wallet }) =>
    endpoints
      .filter((endpoint) => (endpoint.wallet ?? endpoint.pubkey) === wallet)
      .map((endpoint) => ({ endpoint_id: endpoint.id, event_id, wallet, attempts: 0, created_at: AT })),
  )
  return [
    ...agents.flatMap(({ id, pubkey }): Row[] => [
      row('facilitator_keys', { agent_id: id, generation: 1, made_at: AT }),
      row('request_prices', { agent_id: id, name: 'call', asset: MINT, amount: 1_000, ended_at: null }),
      row('request_prices', { agent_id: id, name: 'call', asset: MINT, amount: 900, ended_at: AT }),
      ...(['pending', 'settled', 'failed', 'expired'] as const).map((one) => paymentRow(id, pubkey, one)),
      row('request_refusals', {
        ...{ agent_id: id, reason: 'no_credit', first_at: AT, last_at: AT, published_at: AT },
      }),
      row('payer_failures', { payer: PAYER, agent_id: id, failed_at: [AT] }),
      row('agent_request_days', { agent_id: id, day: '2026-11-23', payments: 1, paid: 1_000 }),
      ...weightRows('agent', id),
      row('ratings', {
        ...{ id: nextId(), hire_id: null, agent_id: id, owner: pubkey, wallet: PAYER, rating: 5 },
        created_at: AT,
      }),
    ]),
    ...[...owners].flatMap((owner): Row[] => [
      row('credits', { owner, balance: 5_000, day: '2026-11-23', day_fees: 10_001, failures_told: 1 }),
      row('credit_purchases', { id: randomUUID(), owner, amount: 5_000, created_at: AT }),
      ...weightRows('owner', owner),
      ...(['unsigned', 'signed', 'landed', 'failed', 'expired'] as const).map((one) =>
        purchaseRow(owner, one),
      ),
    ]),
    row('request_payers', { payer: PAYER, settled: 1 }),
    row('sponsored_days', { day: '2026-11-23', fees: 10_001 }),
    ...events.map((event) => row('events', event)),
    ...deliveries.map((one) => row('deliveries', { ...one, status: 'pending', next_attempt_at: AT })),
  ]
}

const weightRows = (kind: string, payee: string): Row[] => [
  row('payers', { kind, payee, payer: PAYER, fee: 10, fee_step: 1_000_000_000, requests_paid: 1_000 }),
]

/**
 * What of it 1.0.0 may not change: payments and credit, and purchases that may have landed. When these are
 * looked at next does not count.
 */
export const KEPT_ROWS = `select t from (
  ${[
    ...['facilitator_keys', 'request_prices', 'request_payments', 'credits', 'credit_purchases'],
    ...['request_payers', 'payer_failures', 'request_refusals', 'agent_request_days', 'sponsored_days'],
  ]
    .map((table) => `select '${table}' || to_jsonb(one)::text as t from ${table} as one`)
    .join(' union all ')}
  union all
  select (to_jsonb(one) - 'asked_at' - 'due_at')::text from payment_intents as one
    where kind = 'buy_credit' and (status = 'landed' or cosigned_at is not null and status = 'open')
) as kept order by t`
