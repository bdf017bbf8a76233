import * as v from 'valibot'
import { expect, it } from 'vitest'
import { eventTypes } from '../../../schema/values.ts'
import { Events } from '../../../schema/wire/event.ts'
import { eventWords, exampleOf } from '../../../schema/wire/event-words.ts'

it.each(eventTypes)('%s is described, by an example that its schema takes', (type) => {
  expect(v.safeParse(Events[type], exampleOf(type)).issues ?? []).toEqual([])
  expect(eventWords ? eventWords[type].meaning : '').toMatch(/\.$/)
})
