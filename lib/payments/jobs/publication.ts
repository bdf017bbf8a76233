import { type Cred, formatAmount, sumOf } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { DAY_MS } from '../../time.ts'
import { readEnd } from './end-queries.ts'

/** Days after the announced end until pay that nobody collects no longer keeps the recovery key secret. */
const PAY_KEPT_DAYS = 180
/** Fundings that were signed before the end was announced have landed or expired by then. */
const FUNDINGS_OVER_MS = 180_000

/** Why the recovery key of jobs of a key version must stay secret; `unpaid` by agents' owner. */
type Publication = { reason: string | undefined; unpaid: { owner: Wallet; amount: Cred }[] }

/**
 * Checks whether the recovery key of jobs of a key version may be published. With it a hirer takes back all
 * that its escrows hold, also what an agents' owner has earned.
 */
export async function checkPublication(
  { db, now }: { db: Db; now: Date },
  keyVersion: number,
): Promise<Publication> {
  const { endedAt, unfinished, unpaid } = await readEnd(db, keyVersion)
  return { reason: reasonOf({ endedAt, unfinished, unpaid }, { now, keyVersion }), unpaid }
}

function reasonOf(
  { endedAt, unfinished, unpaid }: Awaited<ReturnType<typeof readEnd>>,
  { now, keyVersion }: { now: Date; keyVersion: number },
): string | undefined {
  if (endedAt === null) return `the end was not announced: npm run jobs -- end --generation ${keyVersion}`
  if (now.getTime() - endedAt.getTime() < FUNDINGS_OVER_MS)
    return 'fundings that were signed before may still land: try again in three minutes'
  if (unfinished.length > 0)
    return `${unfinished.length} funded jobs have not ended, such as ${unfinished[0]}`
  const keptUntil = new Date(endedAt.getTime() + PAY_KEPT_DAYS * DAY_MS)
  if (unpaid.length === 0 || now >= keptUntil) return undefined
  const due = formatAmount(sumOf(unpaid.map(({ amount }) => amount)))
  return `these owners of agents have not collected ${due} CRED. Ask them to; from ${keptUntil.toISOString()} on this is no reason any more`
}
