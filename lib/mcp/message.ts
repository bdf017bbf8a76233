import * as v from 'valibot'
import { RpcMessage } from '../../schema/wire/mcp.ts'
import { ApiError } from '../api-error.ts'
import { ProtocolError } from './protocol.ts'

/** A request; without an id it is a notification. */
export type Message = v.InferOutput<typeof RpcMessage>

/**
 * Reads a body as JSON.
 * @throws ProtocolError parse_error if the body is not JSON, or not UTF-8
 */
export async function parseMessage(read: () => Promise<string>): Promise<unknown> {
  try {
    return JSON.parse(await read())
  } catch (error) {
    if (!(error instanceof ApiError)) throw new ProtocolError('parse_error', 'The body is not valid JSON.')
    throw error.code === 'malformed_json' ? new ProtocolError('parse_error', error.message) : error
  }
}

/** Returns the id for the answer to a message, even to an invalid one; undefined without a valid id. */
export function idOf(value: unknown): Message['id'] {
  const read = v.safeParse(v.pick(RpcMessage, ['id']), value)
  return read.success ? read.output.id : undefined
}

/** @throws ProtocolError invalid_message, also for a batch */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw new ProtocolError('invalid_message', 'Send one message at a time.')
  const read = v.safeParse(RpcMessage, value)
  // Valibot takes a list for a record.
  if (read.success && !Array.isArray(Object(value).params)) return read.output
  throw new ProtocolError('invalid_message', 'The body is not a request or notification of JSON-RPC 2.0.')
}
