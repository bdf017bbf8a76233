import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { Refusal } from './refusal.ts'

/** Makes an opaque cursor of the values of a list's order at the last row that was given out. */
export const sealCursor = (values: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(values)))

/**
 * Reads the values out of a cursor.
 * @throws Refusal invalid_request for a cursor that this list did not issue
 */
export function openCursor<S extends v.GenericSchema>(schema: S, cursor: string): v.InferOutput<S> {
  try {
    const values: unknown = JSON.parse(new TextDecoder().decode(base64urlnopad.decode(cursor)))
    return v.parse(schema, values)
  } catch (cause) {
    throw new Refusal('invalid_request', 'cursor is not one that this list gave out.', {
      errors: [{ path: 'cursor', message: 'is not one that this list gave out' }],
      cause,
    })
  }
}
