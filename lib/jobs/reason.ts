import { unavailability } from '../db/failures.ts'
import { Refusal } from '../refusal.ts'

/** What may be logged of an error. A driver's message holds the statement's parameters. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.cause instanceof Error ? error.cause.message : error.code
  return unavailability(error) ?? (error instanceof Error ? error.name : 'unknown')
}
