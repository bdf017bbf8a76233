import type { AnswerOf, AnyRequest, OperationName } from './operations.ts'
import { delayBefore } from './retry.ts'
import { sendOnce, type Transport } from './transport.ts'
import type { Sleep } from './waiting.ts'

/** How often a request that may be repeated is repeated, and what waiting takes. */
export type Patience = { retries: number; sleep: Sleep; random: () => number }

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
