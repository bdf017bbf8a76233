import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { Events, exampleOf } from '../../../schema/wire/event.ts'
import { eventTable, eventTypes } from '../../../schema/wire/event-types/table.ts'

it.each(eventTypes)('%s is described, by an example that its schema takes', (type) => {
  expect(v.safeParse(Events[type], exampleOf(type)).issues ?? []).toEqual([])
  expect(eventTable[type].words.meaning).toMatch(/\.$/)
})

it.each(eventTypes)(
  '%s names its subject: a stranger’s event has the same public key’s signature',
  (type) => {
    const { agentId, wallet, owner, endpointId } = v.parse(v.looseObject({}), exampleOf(type).data)
    expect(agentId ?? wallet ?? owner ?? endpointId).toEqual(expect.any(String))
  },
)

it('functions of Postgres publish only types that are in the table', () => {
  const folder = join(import.meta.dirname, '../../../schema/functions')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const published = files
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/'([a-z]+\.[a-z_]+)'/g)])
    .map(([, type]) => type)
  expect(published).toContain('hire.created')
  expect(eventTypes).toEqual(expect.arrayContaining(published))
})
