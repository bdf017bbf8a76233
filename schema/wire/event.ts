import * as v from 'valibot'
import { describe } from '../docs.ts'
import { EVENT_ID } from '../examples.ts'
import { body } from './body.ts'
import { Count, Timestamp, WireUuid } from './common.ts'
import { type EventType, eventTable, eventTypes } from './event-types/table.ts'

type EventSchema<Type extends EventType> = v.StrictObjectSchema<
  {
    id: typeof WireUuid
    type: v.LiteralSchema<Type, undefined>
    timestamp: typeof Timestamp
    data: (typeof eventTable)[Type]['data']
  },
  undefined
>

const schemaOf = <Type extends EventType>(type: Type): EventSchema<Type> =>
  v.strictObject({ id: WireUuid, type: v.literal(type), timestamp: Timestamp, data: eventTable[type].data })

/** Every event by its type: the body of a webhook, and an entry of the log. */
export const Events = Object.fromEntries(eventTypes.map((type) => [type, schemaOf(type)])) as {
  [Type in EventType]: EventSchema<Type>
}

export const Event = v.variant('type', Object.values(Events))

/** Returns the name of an event's schema in the description: `hire.created` is HireCreatedEvent. */
export const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`

/** Returns an example of an event for the description. */
export const exampleOf = <Type extends EventType>(type: Type) =>
  ({ id: EVENT_ID, type, ...eventTable[type].example }) as v.InferInput<EventSchema<Type>>

describe(Event, { name: 'Event', description: 'An event, by its type.', fields: {} })
for (const type of eventTypes) {
  describe<v.GenericSchema & { entries: Record<'id' | 'type' | 'timestamp' | 'data', v.GenericSchema> }>(
    Events[type],
    {
      name: eventSchemaName(type),
      description: eventTable[type].words.meaning,
      fields: {
        id: 'The same in the log, in every attempt and in a replay. Use it to deduplicate.',
        type: 'The type of event.',
        timestamp: 'When it happened.',
        data: 'What the event reports.',
      },
      example: exampleOf(type),
    },
  )
}

export const EventList = body('EventList', 'One page of your events.', {
  events: [v.array(Event), 'By `sort`.'],
  count: [Count, 'Number of events on this page.'],
  hasMore: [v.boolean(), 'Whether there are more.'],
})
