import type { Charge, Job, RequestPayment } from '../../../client/generated/types.ts'
import { CHARGE_STATUSES } from '../hires/charge-status.ts'
import { PAYMENT_STATUSES } from '../selling/payment-status.ts'
import { jobPayment } from './job-payment.ts'

/** A line of an account statement: a charge, a payment for a request, or a job that pays its agent. */
export type Entry =
  | { kind: 'charge'; entry: Charge }
  | { kind: 'request'; entry: RequestPayment }
  | { kind: 'job'; entry: Job }

/**
 * Writes entries as CSV (RFC 4180), with a line of names first. Amounts of CRED have nine decimals. Other
 * amounts are whole numbers of the coin's smallest unit. Times are in ISO 8601, in UTC.
 * @param mint the mint of CRED
 */
export const csvOf = (entries: readonly Entry[], mint: string): string =>
  [NAMES, ...entries.map((entry) => cellsOf(entry, mint))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')

const NAMES = [
  ...['kind', 'id', 'recorded_at', 'paid_at', 'status', 'agent', 'agent_id', 'hire_id', 'owner', 'payer'],
  ...['reference', 'description', 'result', 'currency', 'amount', 'fee', 'net', 'transaction'],
]

function cellsOf({ kind, entry }: Entry, mint: string): (string | undefined)[] {
  const common = [kind, entry.id, entry.createdAt]
  if (kind === 'charge') {
    const { fee } = entry
    return [
      ...[...common, entry.collectedAt, CHARGE_STATUSES[entry.status].words],
      ...[entry.agentName, entry.agentId, entry.hireId, entry.owner, entry.hirer],
      ...[entry.reference, entry.description, entry.result],
      ...['CRED', decimals(entry.amount)],
      ...(fee === undefined ? ['', ''] : [decimals(fee), decimals(entry.amount - fee)]),
      entry.signature,
    ]
  }
  if (kind === 'job') {
    const { amount, fee, words } = jobPayment(entry)
    return [
      ...[...common, entry.paidAt, words, entry.agentName, entry.agentId, ''],
      ...[entry.owner, entry.hirer, entry.reference, entry.title, ''],
      ...['CRED', decimals(amount), decimals(fee), decimals(amount - fee), ''],
    ]
  }
  const amount = entry.asset === mint ? decimals(entry.amount) : String(entry.amount)
  return [
    ...[...common, entry.status === 'settled' ? entry.resolvedAt : ''],
    ...[PAYMENT_STATUSES[entry.status].words, entry.agentName, entry.agentId, ''],
    ...[entry.owner, entry.payer, entry.priceName, '', ''],
    ...[entry.asset === mint ? 'CRED' : entry.asset, amount, '', entry.status === 'settled' ? amount : ''],
    entry.signature,
  ]
}

/** Writes an amount of CRED with all its decimals: `1.250000000`. */
const decimals = (amount: bigint): string =>
  `${amount / 1_000_000_000n}.${String(amount % 1_000_000_000n).padStart(9, '0')}`

/**
 * Writes a cell. Others write names and references, and a spreadsheet runs a text that begins like a formula:
 * such a text begins with an apostrophe.
 */
function cell(text = ''): string {
  const safe = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
