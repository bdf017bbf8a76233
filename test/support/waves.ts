import type { Answer, Fault, Service } from './service.ts'

/** How long a complete wave still waits for calls that should not belong to it. */
const LONGER_MS = 100

/**
 * Returns the calls of a request: the number of round trips to the database, and the methods of the RPC node
 * by wave, each sorted. A call either waits for earlier calls, or goes at once with them. So a wave waits
 * until all its calls have come, and a little longer.
 * @param sizes the calls that each wave should have; a wave that is never complete fails the request
 */
export async function wavesOf(
  service: Service,
  sizes: number[],
  request: () => Promise<Answer>,
): Promise<{ answer: Answer; sql: number; waves: string[][] }> {
  const waves: string[][] = []
  let wave = Promise.withResolvers<void>()
  let pending = 0
  const held: Fault = async (call) => {
    const { method } = (await call.clone().json()) as { method: string }
    if (pending === 0) {
      waves.push([])
      wave = Promise.withResolvers()
    }
    waves.at(-1)?.push(method)
    pending += 1
    if (pending === sizes[waves.length - 1]) setTimeout(wave.resolve, LONGER_MS)
    await wave.promise
    pending -= 1
    return service.solana.outbound(call) ?? new Response('', { status: 500 })
  }
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const sql = await service.countSql(async () => resolve(await service.withRpcFault(held, request)))
  return { answer: await promise, sql, waves: waves.map((methods) => methods.toSorted()) }
}
