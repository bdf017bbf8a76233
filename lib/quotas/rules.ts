import { HOUR_MS } from '../time.ts'

/** Webhook endpoints of a wallet, beside the webhooks of its agents. */
export const WEBHOOK_ENDPOINTS_PER_WALLET = 10

/** How many changes of webhook endpoints an hour of an address allows where it allows so many new ones. */
export const webhookChangesAllowed = (webhooks: number): number => Math.min(2 * webhooks, 2 ** 31 - 1)

/** A wallet gets one test event in so long: each is kept in its log. */
export const TEST_INTERVAL_MS = 10_000

/** When the hour ends that a time lies in. */
export const endOfHour = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
