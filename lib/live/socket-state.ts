import type { Wallet } from '../../schema/wallet.ts'

/** The subprotocol of these sockets. */
export const EVENTS_PROTOCOL = 'agentcred.events.v1'

/** The header with a socket's initial state, in the Worker's request to the object. */
export const STATE_HEADER = 'x-live-state'

/** The most sockets of one wallet. */
export const MAX_SOCKETS = 5

/**
 * The state of a socket. It is in the socket's attachment, whose 2 KB outlive the object's sleep.
 */
export type SocketState = {
  wallet: Wallet
  /** The epoch of the session whose token opened it. */
  epoch: number
  /** When the token ends, in Unix milliseconds. */
  expiresAt: number
  /** The last event that it received, or the event to go on from; undefined for the log's beginning. */
  last?: string | undefined
  /** Whether the log has not been read for it yet. */
  isNew: boolean
  /** Whether it may lack events, since it had too much to acknowledge. */
  isBehind: boolean
  /** The last event that it acknowledged. */
  acknowledged?: string | undefined
  /** The unacknowledged messages: the last event and the length of each. */
  sent: [id: string, length: number][]
}

/** The characters to acknowledge above which a socket receives no more. */
export const MAX_UNACKNOWLEDGED = 1024 * 1024

/** The most unacknowledged messages. Then the oldest two count as one, so that the attachment stays small. */
const MAX_MESSAGES = 16

export const isFull = ({ sent }: SocketState): boolean =>
  sent.reduce((sum, [, length]) => sum + length, 0) >= MAX_UNACKNOWLEDGED

/** Returns the state after a message whose last event is `id`. */
export function withSent(state: SocketState, id: string, length: number): SocketState {
  const sent: SocketState['sent'] = [...state.sent, [id, length]]
  const [oldest, next, ...others] = sent
  const merged: SocketState['sent'] =
    sent.length > MAX_MESSAGES && oldest && next ? [[next[0], oldest[1] + next[1]], ...others] : sent
  return { ...state, last: id, sent: merged }
}

/** Returns the state after an acknowledgement of all messages up to this event. Ignores an unknown event. */
export function withAcknowledged(state: SocketState, id: string): SocketState {
  const at = state.sent.findIndex(([last]) => last === id)
  return at < 0 ? state : { ...state, acknowledged: id, sent: state.sent.slice(at + 1) }
}

/** Returns the id in an acknowledgement, `{"ack":"<id>"}`; undefined for any other message. */
export function acknowledgementOf(message: string): string | undefined {
  try {
    const { ack }: { ack?: unknown } = JSON.parse(message)
    return typeof ack === 'string' ? ack : undefined
  } catch {
    return undefined
  }
}
