import * as v from 'valibot'
import { describeParameters } from '../docs.ts'
import { Uuid } from './common.ts'

/** Query of GET /events/live. */
export const LiveQuery = v.object({ after: v.optional(Uuid) })

describeParameters(LiveQuery, { after: 'The id of one of your events; the log starts after it.' })
