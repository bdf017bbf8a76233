import type { SocketState } from './socket-state.ts'

/** Why a socket is closed, by code: 4000 to 4999 are an application's own. */
export const CLOSED = {
  /** A fault of ours (RFC 6455). */
  fault: 1011,
  notUnderstood: 4400,
  ended: 4401,
  cursorLost: 4409,
  notAcknowledged: 4413,
  tooManyMessages: 4429,
}
export const REVOKED = 'the session was revoked'

/** A socket that is open, with its state. */
export type Open = [WebSocket, SocketState]

export const stateOf = (socket: WebSocket): SocketState => socket.deserializeAttachment()

/** @returns whether it could be sent: a socket may be closing */
export function send(socket: WebSocket, text: string): boolean {
  try {
    socket.send(text)
    return true
  } catch {
    // Left open, it would be read for again and again.
    close(socket, CLOSED.fault, '')
    return false
  }
}

export function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed.
  }
}
