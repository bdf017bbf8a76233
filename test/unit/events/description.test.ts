import * as v from 'valibot'
import { expect, it } from 'vitest'
import { eventDocs, eventExample } from '../../../lib/description/events.ts'
import { eventTypes } from '../../../schema/values.ts'
import { Events } from '../../../schema/wire/events.ts'

it.each(eventTypes)('%s is described, by an example that its schema takes', (type) => {
  expect(v.safeParse(Events[type], eventExample(type)).issues ?? []).toEqual([])
  expect(eventDocs[type].meaning).toMatch(/\.$/)
})
