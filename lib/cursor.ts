import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { unstorableTexts } from '../schema/storable.ts'
import { ApiError } from './api-error.ts'

/** Makes an opaque cursor of a page's last row: the values that the list is ordered by. */
export const makeCursor = (values: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(values)))

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the values that a cursor was made of.
 * @param parameter where the client gave it
 * @throws ApiError invalid_request for a cursor that the list did not issue
 */
export function readCursor<S extends v.GenericSchema>(
  schema: S,
  cursor: string,
  parameter: 'cursor' | 'pageToken' = 'cursor',
): v.InferOutput<S> {
  try {
    const values: unknown = JSON.parse(UTF8.decode(base64urlnopad.decode(cursor)))
    if (unstorableTexts(values).length > 0) throw new TypeError('a text that cannot be stored')
    return v.parse(schema, values)
  } catch (cause) {
    throw notIssued(parameter, cause)
  }
}

/** Refuses a cursor by the name of the parameter that has it. */
export const notIssued = (parameter: 'cursor' | 'pageToken', cause: unknown): ApiError =>
  new ApiError('invalid_request', `${parameter} was not issued by this list.`, {
    errors: [{ path: parameter, message: 'was not issued by this list' }],
    cause,
  })

/** One page of a list: its rows, the last of them (of which the cursor is made), and whether more follow. */
type Page<Row> = { rows: Row[]; last: Row | undefined; hasMore: boolean }

/**
 * Cuts a page from rows that were read with `limit + 1`.
 * @returns the page's rows, the last of them, and whether there are more
 */
export function pageOf<Row>(read: Row[], limit: number): Page<Row> {
  const rows = read.slice(0, limit)
  return { rows, last: rows.at(-1), hasMore: read.length > rows.length }
}
