import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { payers } from '../../../schema/tables/payers.ts'

/** Selects what a wallet has paid for requests to an agent, in lamports of CRED. */
export function requestsPaidOf(agentId: SQLWrapper, payer: SQLWrapper): SQL<bigint> {
  const found = sql`(select ${payers.requestsPaid} from ${payers}
    where ${payers.kind} = 'agent' and ${payers.payee} = ${agentId}::text and ${payers.payer} = ${payer})`
  return sql`coalesce(${found}, 0)`.mapWith(BigInt) as SQL<bigint>
}
