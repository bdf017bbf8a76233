import { expect } from 'vitest'
import type { Body, Call } from './service.ts'
import { eventually } from './webhooks.ts'

/** An entry of a log. */
export type LoggedEvent = { id: string; type: string; timestamp: string; data: Body }

export const eventsOf = async (call: Call, query = '?limit=100') =>
  (await call('GET', `/events${query}`)).body.events as LoggedEvent[]

/**
 * Returns the caller's log, oldest first, once it has so many entries of the types that match. An event is
 * visible when every transaction that began before it has ended, also those of the queue and the cron.
 */
export async function logged(call: Call, count: number, types = /^/): Promise<LoggedEvent[]> {
  let found: LoggedEvent[] = []
  await eventually(`${count} events of ${types}`, async () => {
    found = (await eventsOf(call)).filter(({ type }) => types.test(type))
    return found.length >= count
  })
  expect(found.map(({ type }) => type)).toHaveLength(count)
  return found
}

/** The caller's whole log once it has so many entries, which must be of these types in this order. */
export async function untilLogged(call: Call, ...types: string[]): Promise<LoggedEvent[]> {
  const found = await logged(call, types.length)
  expect(found.map(({ type }) => type)).toEqual(types)
  return found
}
