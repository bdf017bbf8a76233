import type { SocketState } from './socket-state.ts'

/** The codes for closing a socket. 4000 to 4999 are for applications. */
export const CLOSED = {
  /** An internal error (RFC 6455). */
  internalError: 1011,
  notUnderstood: 4400,
  ended: 4401,
  cursorLost: 4409,
  notAcknowledged: 4413,
  tooManyMessages: 4429,
}
export const REVOKED = 'the session was revoked'

/** An open socket, with its state. */
export type Open = [WebSocket, SocketState]

export const stateOf = (socket: WebSocket): SocketState => socket.deserializeAttachment()

/** Sends a text. @returns false if the socket is closing */
export function send(socket: WebSocket, text: string): boolean {
  try {
    socket.send(text)
    return true
  } catch {
    // Close it: otherwise the log would be read for it repeatedly.
    close(socket, CLOSED.internalError, '')
    return false
  }
}

export function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed already.
  }
}
