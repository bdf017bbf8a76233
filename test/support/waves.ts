import type { Answer, Fault, Service } from './service.ts'

/** How long a wave is held, once all of it have come, for calls that should not belong to it. */
const LONGER_MS = 100

/**
 * What a request asks: how many round trips to the database, and which methods of the RPC node, by wave, each
 * sorted. A call waits for those before it or goes at once with them: a wave is held until all of it have
 * come, and a little longer.
 * @param sizes how many calls each wave should have; one that never fills up fails the request
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
