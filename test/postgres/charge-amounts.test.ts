import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statement } from '../../lib/db/statement.ts'
import { amountOf, unitsOf, workErrors } from '../../lib/payments/rules.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { MAX_CHARGED } from '../../schema/values.ts'
import { useDatabase } from '../support/database.ts'
import { fees, works } from '../support/payments-arbitraries.ts'

const database = useDatabase()

const API = sql.identifier(API_SCHEMA)

const computed = statement(
  {
    feeModel: 'text',
    feeAmount: 'bigint',
    units: 'bigint?',
    capturedValue: 'bigint?',
    share: 'bigint?',
  },
  (_db, $) => sql<{ amount: string | null; units: string | null }>`
    select ${API}.charge_amount(${$.feeModel}, ${$.feeAmount}, ${$.units}, ${$.capturedValue}, ${$.share})::text as amount,
      ${API}.charge_units(${$.feeModel}, ${$.units})::text as units`,
)

const HYBRID = { feeModel: 'hybrid', feeAmount: 5n } as const

it('SQL and rules compute the same of every fee and all work, and refuse the same', async () => {
  await fc.assert(
    fc.asyncProperty(fees, works, async (fee, work) => {
      const { rows } = await computed.run(database.db, { ...fee, ...work })
      const amount = rows[0]?.amount
      const fits = amount != null && BigInt(amount) >= 1n && BigInt(amount) <= MAX_CHARGED
      expect(fits).toBe(workErrors(fee, work).length === 0)
      if (!fits) return
      expect(BigInt(amount)).toBe(amountOf(fee, work))
      expect(rows[0]?.units ?? undefined).toBe(unitsOf(fee, work)?.toString())
    }),
    {
      numRuns: 300,
      // A share is at most what was captured.
      examples: [
        [HYBRID, { capturedValue: 7n, share: 7n }],
        [HYBRID, { capturedValue: 7n, share: 8n }],
      ],
    },
  )
})

const fee = statement(
  { amount: 'text', feeBps: 'smallint' },
  (_db, $) =>
    sql<{ fee: string }>`select ${API}.protocol_fee(${$.amount}::numeric, ${$.feeBps})::text as fee`,
)

it('SQL and rules compute the same protocol fee of every amount', async () => {
  const amounts = fc.oneof(fc.bigInt(1n, 20_000n), fc.bigInt(1n, 100n * MAX_CHARGED))
  await fc.assert(
    fc.asyncProperty(amounts, fc.nat(10_000), async (amount, feeBps) => {
      const { rows } = await fee.run(database.db, { amount: String(amount), feeBps })
      expect(BigInt(rows[0]?.fee ?? -1)).toBe(protocolFee(amount, feeBps))
    }),
    { numRuns: 300 },
  )
})
