import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { WILSON_Z } from './rules.ts'

/** Says what an update of an agent sets when these many more of its hires have got an outcome. */
export function withOutcomes(more: { completed: SQLWrapper; counted: SQLWrapper }) {
  const completed = sql`(${agents.hiresCompleted} + ${more.completed})`
  const counted = sql`(${agents.hiresCounted} + ${more.counted})`
  return {
    hiresCompleted: completed,
    hiresCounted: counted,
    reputationScore: sql`round(${wilsonLowerBoundSql(completed, counted)} * 10000) / 100`,
  }
}

/** Computes wilsonLowerBound of lib/agents/rules.ts in SQL, by the same operations: the results are equal. */
export function wilsonLowerBoundSql(completed: SQL, counted: SQL): SQL<number> {
  const c = sql`${completed}::double precision`
  const n = sql`${counted}::double precision`
  const zz = WILSON_Z * WILSON_Z
  const number = (value: number) => sql`${value}::double precision`
  const spread = sql`${number(WILSON_Z)} * sqrt(${number(zz / 4)} + ${c} * (${n} - ${c}) / ${n})`
  return sql<number>`(case when ${counted} = 0 then 0::double precision
    else ${c} * ${c} / (${n} * (${c} + ${number(zz / 2)} + ${spread})) end)`
}
