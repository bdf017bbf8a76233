import { and, eq, sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { isOwnWebhook } from '../endpoints/endpoint-queries.ts'

const secretRotation = statement(
  {
    id: webhookEndpoints.id,
    wallet: webhookEndpoints.wallet,
    secret: webhookEndpoints.secret,
    endsAt: 'timestamptz',
  },
  (db, $) => {
    const rotated = db.$with('rotated').as(
      db
        .update(webhookEndpoints)
        .set({
          previousSecret: sql`${webhookEndpoints.secret}`,
          previousSecretEndsAt: $.endsAt,
          secret: $.secret,
        })
        .where(and(eq(webhookEndpoints.id, $.id), eq(webhookEndpoints.wallet, $.wallet)))
        .returning({ id: webhookEndpoints.id }),
    )
    return db
      .with(rotated)
      .select({ isWebhook: isOwnWebhook(db, $), id: rotated.id })
      .from(sql`(select) as once`)
      .leftJoin(rotated, sql`true`)
  },
)

/**
 * Gives an endpoint that the wallet has made another secret; the one that it replaces signs until `endsAt`,
 * and any older one no more.
 * @param rotation.secret sealed
 * @returns whether there is such an endpoint; `isWebhook`: it is the webhook of one of the wallet's agents
 */
export async function rotateSecret(
  db: Db,
  rotation: { id: string; wallet: Wallet; secret: string; endsAt: Date },
): Promise<{ isRotated: boolean; isWebhook: boolean }> {
  const [row] = await secretRotation.run(db, rotation)
  return { isRotated: (row?.id ?? null) !== null, isWebhook: row?.isWebhook ?? false }
}
