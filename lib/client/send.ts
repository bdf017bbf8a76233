import { AgentCredError } from './error.ts'
import type { AnswerOf, AnyRequest, OperationName } from './operations.ts'
import { sendOnce, type Transport } from './transport.ts'
import type { Sleep } from './waiting.ts'

/** How often to repeat a safe request, and how to wait. */
type Patience = { retries: number; sleep: Sleep; random: () => number }

/** Sends a request, with a session's token if given, until it is answered or can't be repeated safely. */
export type Send = <Name extends OperationName>(
  name: Name,
  request: AnyRequest,
  token?: string,
) => Promise<AnswerOf<Name>>

/** Makes a {@link Send} from a transport. */
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
/** The longest pause before a repetition. A caller who must wait longer gets the error. */
const LONGEST_DELAY_MS = 30_000

/** POSTs that can be repeated: the second changes nothing, and has the first one's answer. */
const IDEMPOTENT_POSTS: ReadonlySet<string> = new Set<OperationName>([
  'POST /jobs',
  'POST /jobs/{id}/accept',
  'POST /jobs/{id}/delivery',
  'POST /jobs/{id}/approve',
  'POST /jobs/{id}/object',
  'POST /jobs/{id}/concede',
  'POST /jobs/{id}/split',
  'POST /jobs/{id}/verdict',
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
 * Returns the pause before a failed request is repeated, in milliseconds; undefined if a repetition is not
 * safe or does not help. A rate-limited request has had no effect, for any operation. One without an answer
 * may have had one.
 * @param failures the number of its failures, including this one
 * @param random from 0 to 1, so that clients which failed together do not retry together
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

/** Returns whether a gateway in front of the service answered instead. */
const isGateway = ({ code, status }: AgentCredError): boolean =>
  code === 'unexpected_answer' && [502, 503, 504].includes(status ?? 0)
