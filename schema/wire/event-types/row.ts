import type { GenericSchema, InferInput } from 'valibot'

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

export const OWNER = 'the owner’s'
export const BOTH_SIDES = 'the owner’s and the hirer’s'
