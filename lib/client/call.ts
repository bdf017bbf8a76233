import { AgentCredError } from './error.ts'
import { SESSION_OPERATIONS } from './generated/facts.ts'
import type { AnyRequest, Call, OperationName } from './operations.ts'
import type { Send } from './send.ts'
import type { Sessions } from './session.ts'

/**
 * Makes the client's call: with the wallet's session where the operation needs one, and once more with a new
 * session where the service takes the one there is no longer.
 */
export const createCall = (send: Send, sessions: Sessions): Call =>
  (async (name: OperationName, request: AnyRequest = {}) => {
    const { signal } = request
    signal?.throwIfAborted()
    if (!SESSION_OPERATIONS.has(name)) return send(name, request)
    const { sessionToken } = await sessions.current(signal)
    try {
      return await send(name, request, sessionToken)
    } catch (error) {
      if (!(error instanceof AgentCredError) || error.code !== 'token_invalid') throw error
    }
    sessions.drop(sessionToken)
    const renewed = await sessions.current(signal)
    return send(name, request, renewed.sessionToken)
  }) as Call
