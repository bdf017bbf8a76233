import { agentEvents, hireEvents } from './agents.ts'
import { budgetEvents, chargeEvents } from './payments.ts'
import { pioneerEvents } from './pioneers.ts'
import { attestationEvents, ratingEvents } from './reputation.ts'
import { requestEvents } from './requests.ts'
import { vaultEvents } from './vault.ts'
import { webhookEndpointEvents } from './webhook-endpoints.ts'

/**
 * The table of event types. What lists event types, or says something about each, is derived from it: names,
 * schemas, the API description, the client's types, the console's choices and the table in
 * lib/events/README.md.
 */
const table = {
  ...agentEvents,
  ...hireEvents,
  ...chargeEvents,
  ...budgetEvents,
  ...requestEvents,
  ...ratingEvents,
  ...vaultEvents,
  ...attestationEvents,
  ...pioneerEvents,
  ...webhookEndpointEvents,
}

export type EventType = keyof typeof table

export const eventTypes = Object.keys(table) as EventType[]

/**
 * The events of money, which are kept for ever. All others are deleted when they are old
 * (lib/events/sweep-queries.ts), those of requests among them: they are as many as requests, and what was
 * paid and bought stays in tables of its own. The index that leads to those has the types' names, so that a
 * new type here is a migration, too.
 */
export const keptEventTypes = Object.keys({ ...chargeEvents, ...budgetEvents, ...vaultEvents }) as EventType[]

/** A row as programs with words have it. */
export type RowOf<Type extends EventType> = Exclude<(typeof table)[Type], false>

/**
 * The row of a type.
 * @throws Error in a Worker, which has the names alone
 */
export function rowOf<Type extends EventType>(type: Type): RowOf<Type> {
  const found: unknown = table[type]
  if (!found) throw new Error('a program without words has no rows of event types')
  return found as RowOf<Type>
}
