import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { Refusal } from './refusal.ts'

/** An opaque cursor: the values of a list's order at the last row that was given out. */
export const sealCursor = (place: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(place)))

/**
 * The place that a cursor stands for.
 * @throws Refusal invalid_request when it is none of the list's
 */
export function openCursor<S extends v.GenericSchema>(schema: S, cursor: string): v.InferOutput<S> {
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(base64urlnopad.decode(cursor)))
    return v.parse(schema, place)
  } catch (cause) {
    throw new Refusal('invalid_request', 'cursor is not one that this list gave out.', {
      errors: [{ path: 'cursor', message: 'is not one that this list gave out' }],
      cause,
    })
  }
}
