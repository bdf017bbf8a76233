import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_DISSATISFIED, WEIGHT_UNIT, weightOf } from '../../lib/reputation/counterparties/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { agentScore } from '../support/agent-score.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const api = sql.identifier(API_SCHEMA)
const bigints = (values: bigint[]) => sql`${`{${values.join(',')}}`}::bigint[]`

/** The parts of rules.ts that functions of Postgres repeat. */
describe('in SQL as in TypeScript', () => {
  it('an agent’s score is equal', async () => {
    const facts = fc.sample(
      fc.record({
        hirers: fc.oneof(fc.nat(50), fc.nat(2 ** 31 - 1)),
        weight: fc.bigInt(0n, 50_000n * BigInt(WEIGHT_UNIT)),
        share: fc.oneof(fc.constantFrom(0n, 1_000n), fc.bigInt(0n, 1_000n)),
      }),
      5_000,
    )
    const all = facts.map(({ hirers, weight, share }) => ({
      hirers,
      weight,
      satisfied: (weight * share) / 1_000n,
    }))
    const { rows } = await db.execute(sql`
      select ${api}.agent_score(hirers::integer, weight, satisfied) as score
      from unnest(${bigints(all.map(({ hirers }) => BigInt(hirers)))}, ${bigints(all.map(({ weight }) => weight))},
        ${bigints(all.map(({ satisfied }) => satisfied))}) as facts (hirers, weight, satisfied)`)
    expect(rows).toEqual(
      all.map(({ hirers, weight, satisfied }) => ({
        score: agentScore({
          hirers,
          payers: { weight: weightOf(weight), satisfied: weightOf(satisfied) },
        }),
      })),
    )
  })

  it('a payer’s weight is its share of a step, at most 1', async () => {
    const unit = BigInt(WEIGHT_UNIT)
    const cases = [
      { fee: 0n, step: 7n, weight: 0n },
      { fee: 1n, step: 3n, weight: unit / 3n },
      { fee: 3n, step: 3n, weight: unit },
      { fee: 10n ** 30n, step: 3n, weight: unit },
      { fee: 2n ** 63n - 2n, step: 2n ** 63n - 1n, weight: unit - 1n },
    ]
    for (const { fee, step, weight } of cases) {
      const { rows } = await db.execute(
        sql`select ${api}.payer_weight(${`${fee}`}::numeric, ${`${step}`}::bigint) as weight`,
      )
      expect(BigInt(rows[0]?.weight as string)).toBe(weight)
    }
  })

  it('a payer is satisfied above MAX_DISSATISFIED, and without a rating', async () => {
    const ratings = [1, 2, 3, 4, 5]
    const { rows } = await db.execute(sql`
      select ${api}.is_satisfied(rating) as satisfied from unnest(array[1, 2, 3, 4, 5, null]::smallint[]) as given (rating)`)
    expect(rows.map(({ satisfied }) => satisfied)).toEqual([
      ...ratings.map((rating) => rating > MAX_DISSATISFIED),
      true,
    ])
  })
})
