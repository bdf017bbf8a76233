import type { GenericSchema, InferInput } from 'valibot'
import { AGENT_ID } from '../../examples.ts'
import { agentExample } from '../agents.ts'
import { UserText } from '../answer-text.ts'
import { WireUuid } from '../common.ts'

/** An event type's row in the table: all properties of the type. */
type EventRow<Data extends GenericSchema> = {
  /** The schema of the payload. */
  data: Data
  words: EventWords
  example: { timestamp: string; data: InferInput<Data> }
}

type EventWords = {
  /** When the event is published. */
  meaning: string
  /** The wallets whose logs and webhook endpoints get the event, such as OWNER or BOTH_SIDES. */
  log: string
  /** Whether the event is about an agent. If so, the agent's webhookUrl gets it, too. */
  ofAgent: boolean
  /** The receivers, if not every webhook endpoint that listens to the type gets it. */
  receiver?: string
}

/** Makes a row; the compiler checks its example by the schema. */
export const row = <Data extends GenericSchema>(row: EventRow<Data>): EventRow<Data> => row

/**
 * The agent of an event. Each read and delivery of an event adds the name to the recorded data, so that also
 * older events have it (lib/events/views.ts).
 */
export const aboutAgent = () => ({ agentId: WireUuid, agentName: UserText })

export const exampleAgent = { agentId: AGENT_ID, agentName: agentExample.name }

export const OWNER = 'the owner’s'
export const BOTH_SIDES = 'the owner’s and the hirer’s'
