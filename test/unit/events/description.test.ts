import * as v from 'valibot'
import { expect, it } from 'vitest'
import { Events, exampleOf } from '../../../schema/wire/event.ts'
import { eventTypes, rowOf } from '../../../schema/wire/event-types/table.ts'

it.each(eventTypes)('%s is described, by an example that its schema takes', (type) => {
  expect(v.safeParse(Events[type], exampleOf(type)).issues ?? []).toEqual([])
  expect(rowOf(type).words.meaning).toMatch(/\.$/)
})
