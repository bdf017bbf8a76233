import { createWallet } from '../wallet.ts'
import { RetryableError } from './errors.ts'

/** How many time limits to wait: a new host's name and certificate need a while. */
const PATIENCE = 6
const PAUSE_MS = 2_000

/**
 * Checks the service's deep health and logs in with a new wallet, which is what users do first.
 * @param headers of every request
 * @throws CommandError
 */
export async function prove(origin: string, timeoutMs: number, headers: Texts = {}): Promise<void> {
  const ask = (...args: [path: string, body?: object]) => askAt(origin, timeoutMs, headers, ...args)
  const until = Date.now() + PATIENCE * timeoutMs
  const health = await patient(until, () => ask('/v1/health?deep=1'))
  if (health.status !== 200)
    throw new RetryableError(
      `The service answers at ${origin}, but is unhealthy (${health.status}: ${health.body.detail ?? 'no reason'}): check that system.`,
    )
  const wallet = createWallet()
  // By Sign-In-With-Solana, the only way to log in if LOGIN_DOMAINS is set.
  const challenge = await ask(`/v1/auth/handshake?publicKey=${wallet.publicKey}`)
  const answer = {
    nonce: String(challenge.body.nonce),
    signature: wallet.sign(String(challenge.body.challenge)),
    publicKey: wallet.publicKey,
  }
  const session = await ask('/v1/auth/handshake', answer)
  if (session.status !== 200 && session.status !== 201)
    throw new RetryableError(
      `A login at ${origin} was rejected (${session.status} ${session.body.code ?? ''}): check the log of the Worker auth.`,
    )
}

type Texts = Record<string, string>
type Answer = { status: number; body: Record<string, unknown> }

/** Repeats while nobody answers, Cloudflare does not know the host yet, or the service is unhealthy. */
async function patient(until: number, attempt: () => Promise<Answer>): Promise<Answer> {
  /** The last answer of the service. A later attempt without an answer does not reset it. */
  let answer: Answer | undefined
  for (;;) {
    const last = await attempt().catch(() => undefined)
    if (last !== undefined && last.status !== 404) answer = last
    if (answer !== undefined && answer.status < 500) return answer
    if (Date.now() > until) {
      if (answer !== undefined) return answer
      throw new RetryableError(
        'The service is deployed, but does not answer yet: its host name may need some minutes.',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function askAt(
  origin: string,
  timeoutMs: number,
  headers: Texts,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(origin + path, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    // Not JSON: a page of Cloudflare itself.
    return { status: 404, body: {} }
  }
}
