import { eq, sql } from 'drizzle-orm'
import type { Address } from '../../../schema/address.ts'
import { type Cred, cred } from '../../../schema/amounts.ts'
import { vaultIntentLegs, vaults } from '../../../schema/tables/vaults.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import { hasRows, rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { type Parameters, statement } from '../../db/statement.ts'
import { leaseEnd } from '../queries.ts'
import {
  intentInserted,
  intentParameters,
  type NewIntent,
  stackParameters,
  vaultLocked,
} from '../transactions/intent-queries.ts'
import { unsignedStacksVoided, vaultMade } from '../transactions/unsigned-queries.ts'
import type { Admission, YieldLimits } from './admission.ts'
import { admission, admissionParameters, admissionRows } from './admission-queries.ts'

/*
 * Recording built stacks. Of an owner's that were never signed the newest is kept: asking again voids the
 * earlier.
 */

/** The leg of a stack: the position that it opens; of the opening of a vault, the vault. */
const legParameters = { address: vaultIntentLegs.address, principal: vaultIntentLegs.amount }

const legInserted = (
  db: Builder,
  $: Parameters<typeof legParameters>,
  intent: ReturnType<typeof intentInserted>,
) => {
  const leg = rowFields(vaultIntentLegs, {
    intentId: intent.id,
    address: $.address,
    amount: $.principal,
    balanceBefore: sql`0`,
  })
  return db
    .insert(vaultIntentLegs)
    .select(db.select(leg).from(intent))
    .returning({ intentId: vaultIntentLegs.intentId })
}

const cosignedInsert = statement(
  { ...intentParameters, ...stackParameters, ...admissionParameters, ...legParameters },
  (db, $) => {
    const { ctes, verdict, vault } = admission(db, $, 'service_first')
    const voided = unsignedStacksVoided(db, $, vault)
    const intent = intentInserted(db, $, 'stack', vault)
    const legs = db.$with('legs').as(legInserted(db, $, intent))
    return db
      .with(...ctes, voided, intent, legs)
      .select({
        recorded: hasRows(intent),
        openStacks: verdict.openStacks,
        openPositions: verdict.openPositions,
        isPaused: verdict.isPaused,
        room: verdict.room,
      })
      .from(verdict)
  },
)

/** What a stack is recorded with beside what every intent is. */
type StackTerms = { lockDays: number; apyBps: number; stakedAt: Date; yield: Cred }

/**
 * Records a stack that the authority signs, with its share of the yield limits, unless its owner has too
 * many open ones or too many positions, its generation is stopped or the limits have no room: the rows of
 * owner and day decide. One round trip.
 * @param intent service_first
 */
export async function insertStack(
  db: Db,
  intent: NewIntent & StackTerms & { yieldDay: string },
  leg: { address: Address; principal: Cred },
  limits: YieldLimits,
): Promise<Admission> {
  const { owner, yieldDay: day, now } = intent
  const [, [verdict]] = await batch(db, [
    admissionRows.item({ owner, day, leaseEnd: leaseEnd(now) }),
    cosignedInsert.item({ ...intent, ...leg, ...limits }),
  ])
  if (!verdict) throw new Error('the rows that a stack is decided by are missing')
  return { ...verdict, room: cred(BigInt(verdict.room)) }
}

const { yieldDay: _, ...termsParameters } = stackParameters

const vaultOf = (db: Builder, $: Parameters<Pick<typeof intentParameters, 'owner'>>) =>
  db.$with('vault').as(db.select({ owner: vaults.owner }).from(vaults).where(eq(vaults.owner, $.owner)))

const unsignedStackInsert = statement(
  { ...intentParameters, ...termsParameters, ...legParameters },
  (db, $) => {
    const vault = vaultOf(db, $)
    const voided = unsignedStacksVoided(db, $, vault)
    const intent = intentInserted(db, $, 'stack', vault)
    return db
      .with(vault, voided, intent, db.$with('legs').as(legInserted(db, $, intent)))
      .select()
      .from(intent)
  },
)

const openingInsert = statement({ ...intentParameters, ...legParameters }, (db, $) => {
  const vault = vaultOf(db, $)
  const voided = unsignedStacksVoided(db, $, vault)
  const intent = intentInserted(db, $, 'open_vault', vault)
  return db
    .with(vault, voided, intent, db.$with('legs').as(legInserted(db, $, intent)))
    .select()
    .from(intent)
})

/**
 * Records what its owner signs first, in the place of what was not signed before: a stack, or without terms
 * the opening of the vault. It takes nothing of any limit. One round trip.
 * @param intent wallet_first
 */
export async function insertUnsignedStack(
  db: Db,
  intent: NewIntent,
  leg: { address: Address; principal: Cred },
  terms?: StackTerms,
): Promise<void> {
  const { owner, now } = intent
  await batch(db, [
    vaultMade.item({ owner, leaseEnd: leaseEnd(now) }),
    vaultLocked.item({ owner }),
    terms
      ? unsignedStackInsert.item({ ...intent, ...terms, ...leg })
      : openingInsert.item({ ...intent, ...leg }),
  ])
}
