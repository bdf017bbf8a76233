import { AgentCredError } from './error.ts'
import type { AnswerOf, AnyRequest, OperationName } from './operations.ts'
import { sendOnce, type Transport } from './transport.ts'
import type { Sleep } from './waiting.ts'

/** How often a request that may be repeated is repeated, and what waiting takes. */
type Patience = { retries: number; sleep: Sleep; random: () => number }

/** Sends a request, with a session's token if one is given, until it is answered or may not be repeated. */
export type Send = <Name extends OperationName>(
  name: Name,
  request: AnyRequest,
  token?: string,
) => Promise<AnswerOf<Name>>

/** Makes {@link Send} over a transport. */
export function createSend(transport: Transport, { retries, sleep, random }: Patience): Send {
  return async <Name extends OperationName>(name: Name, request: AnyRequest, token?: string) => {
    for (let failures = 1; ; failures += 1) {
      try {
        return (await sendOnce(transport, name, request, token)) as AnswerOf<Name>
      } catch (error) {
        const delay = failures > retries ? undefined : delayBefore(name, error, failures, random())
        if (delay === undefined) throw error
        await sleep(delay, request.signal)
      }
    }
  }
}

const FIRST_DELAY_MS = 250
/** Who is asked to wait longer had better be told. */
const LONGEST_DELAY_MS = 30_000

/** POSTs of which a second one changes nothing, and answers what the first did. */
const IDEMPOTENT_POSTS: ReadonlySet<string> = new Set<OperationName>([
  'POST /vault/transactions',
  'POST /payments/charges',
  'POST /payments/charges/{id}/void',
  'POST /payments/transactions',
  'POST /reputation/attest/skill',
  'POST /reputation/verify',
  'POST /registry/agents',
  'POST /registry/message',
])

const isIdempotent = (operation: string): boolean =>
  !operation.startsWith('POST ') || IDEMPOTENT_POSTS.has(operation)

/**
 * How long to wait before a failed request is sent again, in milliseconds; undefined where that would not be
 * safe, or would not help. A request that was not let in for its rate has done nothing, on any operation;
 * one without an answer may have.
 * @param failures how many times it has failed, this one among them
 * @param random from 0 to 1, so that clients which failed together do not return together
 */
export function delayBefore(
  operation: string,
  error: unknown,
  failures: number,
  random: number,
): number | undefined {
  if (!(error instanceof AgentCredError)) return undefined
  const { code, retryAfterMs } = error
  const isPassing = code === 'unreachable' || code === 'dependency_unavailable' || isGateway(error)
  if (code !== 'rate_limited' && !(isPassing && isIdempotent(operation))) return undefined
  const step = FIRST_DELAY_MS * 2 ** (failures - 1)
  const delay = retryAfterMs === undefined ? (step + step * random) / 2 : retryAfterMs + step * random
  return delay <= LONGEST_DELAY_MS ? delay : undefined
}

/** What stands before the service answered in its place. */
const isGateway = ({ code, status }: AgentCredError): boolean =>
  code === 'unexpected_answer' && [502, 503, 504].includes(status ?? 0)
