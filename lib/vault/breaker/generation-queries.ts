import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { vaultGenerations } from '../../../schema/tables/vaults.ts'

/**
 * Whether the addresses by which a vault was judged are not those that its generation was deployed with: by
 * mistaken settings every vault has foreign signers. False where either is not known.
 */
export const keysDiffer = (judged: {
  generation: SQLWrapper
  authority: SQLWrapper
  recovery: SQLWrapper
}): SQL<boolean> => sql`exists (select from ${vaultGenerations} where
  ${vaultGenerations.generation} = ${judged.generation}
  and (${vaultGenerations.authority} <> ${judged.authority}
    or ${vaultGenerations.recovery} <> ${judged.recovery}))`
