import { agentEvents, hireEvents } from './agents.ts'
import { grantEvents } from './grants.ts'
import { jobEvents, jobMoneyEvents } from './jobs.ts'
import { budgetEvents, chargeEvents } from './payments.ts'
import { pioneerEvents } from './pioneers.ts'
import { attestationEvents, ratingEvents } from './reputation.ts'
import { requestEvents } from './requests.ts'
import { vaultEvents } from './vault.ts'
import { webhookEndpointEvents } from './webhook-endpoints.ts'

/**
 * The table of event types. Everything about event types is derived from it: names, schemas, the API
 * description, the client's types, the console's choices and the table in lib/events/README.md.
 */
export const eventTable = {
  ...agentEvents,
  ...hireEvents,
  ...chargeEvents,
  ...budgetEvents,
  ...jobEvents,
  ...jobMoneyEvents,
  ...requestEvents,
  ...ratingEvents,
  ...vaultEvents,
  ...attestationEvents,
  ...pioneerEvents,
  ...grantEvents,
  ...webhookEndpointEvents,
}

export type EventType = keyof typeof eventTable

export const eventTypes = Object.keys(eventTable) as EventType[]

/**
 * The types of money events, which are never deleted. All others are deleted when they are old
 * (lib/events/deletion-queries.ts). So are events of requests: they are as numerous as requests, and payments
 * and purchases have tables of their own. The index of deletable events has these names, so a new type here
 * needs a migration, too.
 */
export const retainedEventTypes = Object.keys({
  ...chargeEvents,
  ...budgetEvents,
  ...jobMoneyEvents,
  ...vaultEvents,
}) as EventType[]
