import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { cred } from '../../../schema/amounts.ts'
import { vaultIntents } from '../../../schema/tables/vaults.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import { hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { type Parameters, statement } from '../../db/statement.ts'
import { leaseEnd } from '../queries.ts'
import type { Admission, YieldLimits } from '../stacking/admission.ts'
import { admission, admissionParameters, admissionRows } from '../stacking/admission-queries.ts'
import { vaultLocked } from './intent-queries.ts'
import { isUnsigned } from './unsigned-queries.ts'

/*
 * The one message of a wallet_first intent: recorded before the authority signs it, where the intent is open,
 * before its deadline and without a message. Every signature of the authority follows such an UPDATE.
 */

const messageParameters = {
  id: vaultIntents.id,
  owner: vaultIntents.owner,
  message: 'text',
  networkSignature: 'text',
  lastValidBlockHeight: vaultIntents.lastValidBlockHeight,
  builtAfter: vaultIntents.createdAt,
  now: vaultIntents.createdAt,
} as const

/** Two CTEs: `before` locks the intent as it is now, `signable` has its row if it may be signed. */
function signable(db: Builder, $: Parameters<typeof messageParameters>) {
  const before = db.$with('before').as(
    db
      .select({
        id: vaultIntents.id,
        isCosigned: sql<boolean>`${vaultIntents.cosignedAt} is not null`.as('is_cosigned'),
        isSignable: sql<boolean>`(${vaultIntents.status} = 'open' and ${isUnsigned}
          and ${gt(vaultIntents.createdAt, $.builtAfter)})`.as('is_signable'),
      })
      .from(vaultIntents)
      .where(and(eq(vaultIntents.id, $.id), eq(vaultIntents.owner, $.owner)))
      .for('update'),
  )
  const signable = db
    .$with('signable')
    .as(db.select({ id: before.id }).from(before).where(eq(before.isSignable, sql`true`)))
  return { before, signable }
}

/** The UPDATE, of the intent in `signable`. */
const recorded = (
  db: Builder,
  $: Parameters<typeof messageParameters>,
  from: ReturnType<typeof signable>['signable'],
  { onlyIf = sql`true`, yieldDay }: { onlyIf?: SQL; yieldDay?: SQL } = {},
) =>
  db.$with('recorded').as(
    db
      .update(vaultIntents)
      .set({
        cosignedMessage: sql`${$.message}`,
        networkSignature: sql`${$.networkSignature}`,
        lastValidBlockHeight: sql`${$.lastValidBlockHeight}`,
        cosignedAt: sql`${$.now}`,
        ...(yieldDay ? { yieldDay } : {}),
      })
      .from(from)
      .where(and(eq(vaultIntents.id, from.id), onlyIf))
      .returning({ id: vaultIntents.id }),
  )

const payoutCosigned = statement(messageParameters, (db, $) => {
  const { before, signable: from } = signable(db, $)
  const signed = recorded(db, $, from)
  return db
    .with(before, from, signed)
    .select({ recorded: hasRows(signed), isCosigned: before.isCosigned })
    .from(before)
})

const stackCosigned = statement({ ...messageParameters, ...admissionParameters }, (db, $) => {
  const { before, signable: from } = signable(db, $)
  const { ctes, verdict, vault } = admission(db, $, 'wallet_first', hasRows(from))
  const signed = recorded(db, $, from, { onlyIf: hasRows(vault), yieldDay: sql`${$.yieldDay}` })
  return db
    .with(before, from, ...ctes, signed)
    .select({
      recorded: hasRows(signed),
      isCosigned: before.isCosigned,
      isSignable: before.isSignable,
      openStacks: verdict.openStacks,
      openPositions: verdict.openPositions,
      isPaused: verdict.isPaused,
      room: verdict.room,
    })
    .from(before)
    .crossJoin(verdict)
})

/** The message that the authority is to sign, Base64, with the owner's signature of it, Base58. */
type Cosigning = {
  id: string
  owner: Wallet
  message: string
  networkSignature: string
  lastValidBlockHeight: bigint
  builtAfter: Date
  now: Date
}

/** Whether the message was recorded; else whether one was before, and what a stack was decided by. */
export type Recording = { recorded: boolean; isCosigned: boolean; admission?: Admission | undefined }

/**
 * Records the one message of a claim, a withdrawal or leftovers. One round trip.
 * @returns undefined when there is no such intent
 */
export async function recordPayoutMessage(db: Db, cosigning: Cosigning): Promise<Recording | undefined> {
  const [, [row]] = await batch(db, [
    vaultLocked.item({ owner: cosigning.owner }),
    payoutCosigned.item(cosigning),
  ])
  return row
}

/**
 * Records the one message of a stack or of the opening of a vault, if it is admitted now: as
 * {@link recordPayoutMessage}, with the stack's share of the yield limits, which it takes whole.
 * @returns undefined when there is no such intent; `admission` where the owner's or the day's row refused it
 */
export async function recordStackMessage(
  db: Db,
  cosigning: Cosigning & { generation: number; yield: bigint; yieldDay: string },
  limits: YieldLimits,
): Promise<Recording | undefined> {
  const { owner, yieldDay: day, now } = cosigning
  const [, , [row]] = await batch(db, [
    admissionRows.item({ owner, day, leaseEnd: leaseEnd(now) }),
    vaultLocked.item({ owner }),
    stackCosigned.item({ ...cosigning, yield: cred(cosigning.yield), ...limits }),
  ])
  if (!row) return undefined
  const { isSignable, isCosigned, ...verdict } = row
  const admission = isSignable ? { ...verdict, room: cred(BigInt(verdict.room)) } : undefined
  return { recorded: row.recorded, isCosigned, admission }
}
