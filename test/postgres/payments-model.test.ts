import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { modelTerms, play, programs } from '../support/payments-model.ts'
import { runs } from '../support/runs.ts'

const database = useDatabase()

it('spends the sum of valid charges, within the budget, for any actions', async () => {
  await fc.assert(
    fc.asyncProperty(modelTerms, programs, async (terms, program) => {
      const hire = await play(database.db, terms, program)
      const query = async (text: string) =>
        (await database.engine.run([{ query: text, params: [hire.id] }]))[0]?.rows ?? []
      const wrong = `select from hire_periods p where hire_id = $1 and spent <> (
        select coalesce(sum(amount), 0) from charges
        where hire_id = p.hire_id and period_start = p.starts_at and status <> 'voided')`
      expect(await query(wrong)).toEqual([])
      const toldTwice = `select type from events where data->>'hireId' = $1 and type like 'budget.%'
        group by type, data->'period'->>'start' having count(*) > 1`
      expect(await query(toldTwice)).toEqual([])
    }),
    { numRuns: runs(10, 300) },
  )
})
