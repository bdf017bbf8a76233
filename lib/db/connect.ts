import { type NeonQueryFunction, neon, neonConfig, types } from '@neondatabase/serverless'
import type { Meter } from '../meter.ts'

/**
 * Neon's HTTP driver: every call is one round trip. A Drizzle database has it by the same name; statements
 * (statement.ts) need no more, and it costs a request nothing to make.
 */
export type Db = {
  $client: NeonQueryFunction<false, false>
  /** Which role of Postgres it connects as (schema/rights.ts), for the log. */
  role?: () => string
  /** Whose session every statement is sent for (session.ts): none runs once the session is revoked. */
  ofSession?: SessionClaim
}

/** What a session token says of its session. */
export type SessionClaim = { wallet: string; generation: number }

/** `smallint[]`, such as an agent's layers. The driver would split its text into characters. */
const SMALLINTS = 1005
types.setTypeParser(SMALLINTS, (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`))

const TIMESTAMPTZ = 1184
const DATE = 1082
/** Columns decode their times and days themselves, from the text that Postgres sends. */
for (const type of [TIMESTAMPTZ, DATE]) types.setTypeParser(type, (text: string) => text)

/** After this a call is given up. A write given up may still commit, so only the caller can try it again. */
export const DATABASE_TIMEOUT_MS = 5_000

/** Statements that Postgres rolled back whole and asks to run again: serialization failure, deadlock. */
const ROLLED_BACK = new Set(['40001', '40P01'])

/**
 * How Neon's proxy begins its message when it has given a statement to no Postgres (HttpConnError in its
 * proxy/src/serverless/backend.rs, COULD_NOT_CONNECT, REQUEST_FAILED, and Kind::Connect of its Postgres
 * client). Its "connection closed" is not one: it says so of a connection that was lost in a statement, too.
 */
const NEVER_RAN = [
  'Failed to acquire permit to connect to the database',
  'Control plane request failed',
  "Couldn't connect to compute node",
  'error connecting to server',
  'pooled connection closed at inconsistent state',
]

/**
 * A database client for one request. Opens nothing: the driver's first fetch is the first statement.
 * @param meter counts every attempt
 */
export function connect(url: string, meter?: Meter): Db {
  neonConfig.fetchFunction = resilientFetch
  // The driver takes its fetch globally, and hands on these options with each call.
  return {
    $client: neon(url, { disableWarningInBrowsers: true, fetchOptions: { meter } }),
    role: () => new URL(url).username,
  }
}

type Init = RequestInit & { body: string; meter?: Meter | undefined; isRead?: boolean }

/**
 * fetch for the driver, with a time limit and one repeat where a repeat cannot do harm. `isRead` comes from
 * the statement's maker (statement.ts); what does not say so is a write. A timed-out call is not repeated:
 * the caller has waited long enough.
 */
async function resilientFetch(url: string, { meter, isRead = false, ...init }: Init): Promise<Response> {
  const attempt = () => {
    meter?.count('sql')
    return fetch(url, { ...init, signal: AbortSignal.timeout(DATABASE_TIMEOUT_MS) })
  }
  let response: Response
  try {
    response = await attempt()
  } catch (error) {
    if (isRead && !(error instanceof Error && error.name === 'TimeoutError')) return attempt()
    throw error
  }
  return !response.ok && (await mayRepeat(response.clone(), isRead)) ? attempt() : response
}

/**
 * Whether a statement that failed so may be sent again: any that has done nothing, and a read whose answer
 * was lost. Of that the proxy says 400 without an SQLSTATE.
 */
async function mayRepeat(answer: Response, isRead: boolean): Promise<boolean> {
  if (isRead && answer.status >= 500) return true
  const error = await answer.json<{ code?: string; message?: string } | null>().catch(() => null)
  if (error?.code) return ROLLED_BACK.has(error.code)
  const message = error?.message ?? ''
  return (isRead && answer.status === 400) || NEVER_RAN.some((beginning) => message.startsWith(beginning))
}
