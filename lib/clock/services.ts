import type { Due } from './kinds.ts'

/*
 * The rounds of other Workers, as the Clock calls them by service bindings: each answers when its kind is
 * next due, if it is, and rejects when a step has failed.
 */

/** The settlement Worker's. */
export type SettlementService = {
  settle(): Promise<Due | undefined>
  lookAtPositions(): Promise<Due | undefined>
  /** Answers whether it has left something, for another daily round. */
  daily(): Promise<{ more: boolean }>
}

/** The probes Worker's. */
export type LooksService = { look(): Promise<Due | undefined> }
