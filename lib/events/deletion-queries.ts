import { deliveries, deliveryAttempts, events, isDeletedWhenOld } from '../../schema/tables/events.ts'
import { webhookBuckets, webhookHosts, webhookTargets } from '../../schema/tables/webhook-targets.ts'
import { deletionOf } from '../db/deletion.ts'

/** Deletes deliveries that were enqueued before a time, in any status. */
export const deleteOldDeliveries = deletionOf(deliveries, deliveries.createdAt)

/** Deletes attempts that were made before a time. */
export const deleteOldAttempts = deletionOf(deliveryAttempts, deliveryAttempts.attemptedAt)

/** Deletes destinations without an attempt since a time, even if an endpoint still has the URL. */
export const deleteOldTargets = deletionOf(webhookTargets, webhookTargets.lastAttemptAt)

/** Deletes token buckets that became full before a time: a missing bucket counts as full. */
export const deleteFullBuckets = deletionOf(webhookBuckets, webhookBuckets.fullAt)

/** Deletes counters whose day began before a time. */
export const deleteOldHosts = deletionOf(webhookHosts, webhookHosts.since)

/** Deletes events that were recorded before a time, and their deliveries, but never events of money. */
export const deleteOldEvents = deletionOf(events, events.recordedAt, isDeletedWhenOld(events.type))
