import type { Wallet } from '../../schema/wallet.ts'

/** The subprotocol of these sockets. */
export const EVENTS_PROTOCOL = 'agentcred.events.v1'

/** The header of the request, made by the Worker, that opens a socket: its state. */
export const STATE_HEADER = 'x-live-state'

/** Of one wallet. */
export const MAX_SOCKETS = 5

/**
 * What is known of a socket. It is kept in the socket's attachment, whose 2 KB outlive the object's sleep.
 */
export type SocketState = {
  wallet: Wallet
  /** Of the session whose token opened it. */
  generation: number
  /** When the token ends, in Unix milliseconds. */
  expiresAt: number
  /** The last event that it was sent, or that it goes on from; none: the log's beginning. */
  last?: string | undefined
  /** Whether the log has not been read for it yet. */
  isNew: boolean
  /** Whether it may have been left behind: it had too much to acknowledge. */
  isBehind: boolean
  /** The last event that it acknowledged. */
  acknowledged?: string | undefined
  /** What it has not acknowledged: the last event of each message, and the message's length. */
  sent: [id: string, length: number][]
}

/** A socket that has so many characters to acknowledge is sent nothing more. */
export const MAX_UNACKNOWLEDGED = 1024 * 1024

/** Beyond so many messages the oldest two count as one, so that the attachment stays small. */
const MAX_MESSAGES = 16

export const isFull = ({ sent }: SocketState): boolean =>
  sent.reduce((sum, [, length]) => sum + length, 0) >= MAX_UNACKNOWLEDGED

/** The state after a message whose last event is `id`. */
export function withSent(state: SocketState, id: string, length: number): SocketState {
  const sent: SocketState['sent'] = [...state.sent, [id, length]]
  const [oldest, next, ...others] = sent
  const merged: SocketState['sent'] =
    sent.length > MAX_MESSAGES && oldest && next ? [[next[0], oldest[1] + next[1]], ...others] : sent
  return { ...state, last: id, sent: merged }
}

/** The state after an acknowledgement: of what it was sent up to this event; another one changes nothing. */
export function withAcknowledged(state: SocketState, id: string): SocketState {
  const at = state.sent.findIndex(([last]) => last === id)
  return at < 0 ? state : { ...state, acknowledged: id, sent: state.sent.slice(at + 1) }
}

/** The id that an acknowledgement names, `{"ack":"<id>"}`; undefined for any other message. */
export function acknowledgementOf(message: string): string | undefined {
  try {
    const { ack }: { ack?: unknown } = JSON.parse(message)
    return typeof ack === 'string' ? ack : undefined
  } catch {
    return undefined
  }
}
