import type { GenericSchema, InferInput } from 'valibot'

/** A row of the table of event types: all that is known of one type of event. */
type EventRow<Data extends GenericSchema> = {
  /** The schema of the payload. */
  data: Data
  words: EventWords
  example: { timestamp: string; data: InferInput<Data> }
}

type EventWords = {
  /** When there is such an event. */
  meaning: string
  /** Whose logs it is in, and so whose webhook endpoints it goes to. */
  log: string
  /** Whether it is about an agent, and so goes to that agent's webhookUrl, too. */
  ofAgent: boolean
  /** Who is sent it, where that is not every webhook endpoint that listens to its type. */
  receiver?: string
}

/**
 * Makes a row, whose example the compiler holds against the schema. It is written as `WORDS && row(…)`, and
 * what several rows share is a function: the bundler leaves out both, so that a Worker has only the names of
 * the types.
 */
export const row = <Data extends GenericSchema>(row: EventRow<Data>): EventRow<Data> => row

export const OWNER = 'the owner’s'
export const BOTH_SIDES = 'the owner’s and the hirer’s'
