import { Agent, request } from 'node:http'

/** A request to a server on loopback. */
export type Call = { method?: string; path: string; headers?: Record<string, string>; body?: unknown }

export type Answer = { status: number; body: Buffer }

/** Sends requests to one server over persistent connections. */
export type Client = { send(call: Call): Promise<Answer>; close(): void }

/** One measured action: usually one request. Each has another number. */
export type Action = (client: Client, number: number) => Promise<Answer>

/** How a burst of actions went. */
type Load = { seconds: number; perSecond: number; p50Ms: number; p99Ms: number; bytes: number }

export function createClient(origin: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(origin)
  if (hostname !== '127.0.0.1') throw new Error(`${origin} is not loopback`)
  return {
    send: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
        const type = payload && { 'content-type': 'application/json', 'content-length': payload.length }
        const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...type } })
        sent.on('error', reject)
        sent.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
        })
        sent.end(payload)
      }),
    close: () => agent.destroy(),
  }
}

let lastNumber = 0

/**
 * Runs `count` actions, so many at a time.
 * @throws Error with the answer, when one is not 2xx
 */
export async function load(
  client: Client,
  action: Action,
  { count, connections }: { count: number; connections: number },
): Promise<Load> {
  const times: number[] = []
  let left = count
  let bytes = 0
  const startedAt = performance.now()
  const worker = async () => {
    while (left > 0) {
      left -= 1
      const sentAt = performance.now()
      const { body } = expectSuccess(await action(client, ++lastNumber))
      bytes += body.length
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  return {
    seconds,
    perSecond: count / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    bytes: bytes / count,
  }
}

/** @throws Error with the answer, when it is not 2xx */
export function expectSuccess(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`answered ${answer.status}: ${answer.body.toString().slice(0, 500)}`)
}

/** The smallest value that at least this share of the values does not exceed; 0 of none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle - 1)] ?? 0)) / 2
}
