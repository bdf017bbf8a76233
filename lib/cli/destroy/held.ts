import { cred, formatAmount } from '../../../schema/amounts.ts'
import { rowsOf } from '../../migrations/migrator.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { LAPSE_DAYS } from '../../payments/rules.ts'

/** The charges that may still be collected at the time $1. */
const DUE = `charges join hires on hires.id = hire_id where charges.status = 'recorded'
  and (hires.ended_at is null or hires.ended_at > $1::timestamptz - make_interval(days => ${LAPSE_DAYS}))`

/**
 * Describes the users' funds and claims in a deployment, as its database records them.
 * @returns undefined if there are none, or the database has no tables yet
 */
export async function heldIn(database: SqlDatabase, now: Date): Promise<string | undefined> {
  const [there] = await rowsOf(
    database,
    "select to_regclass('positions'), to_regclass('charges'), to_regclass('credits')",
  )
  if (there?.includes(null)) return undefined
  const [row = []] = await rowsOf(
    database,
    `select count(*), coalesce(sum(escrowed), 0), (select count(*) from ${DUE}),
       (select coalesce(sum(amount), 0) from ${DUE}), (select coalesce(sum(balance), 0) from credits)
     from positions where status = 'open'`,
    [now.toISOString()],
  )
  const [positions, escrowed, charges, due, credit] = row as [string, string, string, string, string]
  const parts = [
    ...(positions === '0' ? [] : [`${positions} open positions (${textOf(escrowed)} CRED)`]),
    ...(charges === '0' ? [] : [`${charges} uncollected charges (${textOf(due)} CRED)`]),
    ...(credit === '0' ? [] : [`credit for payments for requests (${textOf(credit)} CRED)`]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

const textOf = (amount: string): string => formatAmount(cred(BigInt(amount)))
