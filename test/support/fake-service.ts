import { requesterOf, serviceOf, signInInput, signInText } from '../../lib/auth/messages.ts'
import type { Wallet } from '../../schema/wallet.ts'

/** A request of the client under test. */
type Sent = {
  operation: string
  body: unknown
  token: string | undefined
  origin: string | undefined
  signal: AbortSignal
}

/** An answer: a body for 200, or all of it. A function is asked with the request. */
export type Reply = object | Response | ((sent: Sent) => object | Response | Promise<object | Response>)

/** A refusal as the service writes it. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { type: 'about:blank', title: code, status, detail: `Detail of ${code}`, code, requestId: 'r-1' },
    { status, headers: { 'x-request-id': 'r-1', ...headers } },
  )

/**
 * A service that answers each operation (`GET /agents?limit=1`, or without its query) with its replies in
 * order, then with the last one. It has a clock of its own, which moves when the client sleeps.
 */
export function createFakeService(replies: Record<string, Reply | Reply[]>) {
  const sent: Sent[] = []
  const slept: number[] = []
  const clock = { now: 1_795_165_200_000 }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const headers = new Headers(init?.headers)
    const request: Sent = {
      operation: `${init?.method} ${pathname.replace('/v1', '')}${search}`,
      body: init?.body === undefined ? undefined : JSON.parse(String(init?.body)),
      token: headers.get('authorization')?.replace('Bearer ', ''),
      origin: headers.get('origin') ?? undefined,
      signal: init?.signal as AbortSignal,
    }
    sent.push(request)
    const [name = ''] = request.operation.split('?')
    const replyList = [replies[request.operation] ?? replies[name] ?? problem(404, 'unknown_path')].flat()
    const before = sent.filter(({ operation }) => operation.split('?')[0] === name).length - 1
    const next = replyList[Math.min(before, replyList.length - 1)]
    const reply = typeof next === 'function' ? await next(request) : next
    return reply instanceof Response ? reply.clone() : Response.json(reply)
  }
  return {
    fetch,
    sent,
    slept,
    clock,
    operations: () => sent.map(({ operation }) => operation),
    /** For createClient. */
    options: {
      baseUrl: `${ORIGIN}/v1/`,
      fetch,
      now: () => clock.now,
      random: () => 0,
      sleep: async (ms: number, signal?: AbortSignal) => {
        signal?.throwIfAborted()
        slept.push(ms)
        clock.now += ms
      },
    },
  }
}

/** The origin of the service. */
const ORIGIN = 'https://api.example.com'

const LIFETIME_MS = 300_000

/**
 * The challenge of a login, as a service writes it.
 * @param page the origin that the text shows
 * @param service the origin of the service
 */
export function challengeAt(now: number, wallet: string, page = ORIGIN, service = ORIGIN) {
  const expiresAt = now + LIFETIME_MS
  const input = signInInput({
    ...requesterOf(page, service),
    nonce: 'n',
    wallet: wallet as Wallet,
    issuedAt: new Date(now),
    expiresAt: new Date(expiresAt),
    service: serviceOf(service),
  })
  return { nonce: 'n', challenge: signInText(input), expiresIn: LIFETIME_MS, expiresAt, signInInput: input }
}

/** The answers of a login, with a session of so many milliseconds. */
export function loginReplies(clock: { now: number }, lifetimeMs = 86_400_000): Record<string, Reply> {
  let logins = 0
  return {
    'GET /auth/handshake': ({ operation, origin }) =>
      challengeAt(clock.now, operation.replace(/.*publicKey=/, ''), origin),
    'POST /auth/handshake': () => {
      logins += 1
      return { sessionToken: `token-${logins}`, expiresAt: clock.now + lifetimeMs, publicKey: 'wallet' }
    },
  }
}
