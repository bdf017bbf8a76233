import { HOUR_MS } from '../time.ts'

/** Webhook endpoints of a wallet, without the webhooks of its agents. */
export const WEBHOOK_ENDPOINTS_PER_WALLET = 10

/** Computes the limit of changes of webhook endpoints per address and hour from the limit of new ones. */
export const webhookChangesAllowed = (webhooks: number): number => Math.min(2 * webhooks, 2 ** 31 - 1)

/** A wallet can send one test event per interval, because each is stored in its event log. */
export const TEST_INTERVAL_MS = 10_000

/** Returns the end of the hour of a time. */
export const endOfHour = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
