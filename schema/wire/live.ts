import * as v from 'valibot'
import { parameters } from './body.ts'
import { Uuid } from './common.ts'

/** Query of GET /events/live. */
export const LiveQuery = parameters({
  after: [v.optional(Uuid), 'The id of one of your events; the log starts after it.'],
})
