import { type NeonQueryFunction, neon, neonConfig, types } from '@neondatabase/serverless'
import { injected } from '../injected.ts'
import type { SubrequestCounter } from '../runtime/subrequests.ts'

/**
 * A database client: Neon's HTTP driver, in which every call is one round trip. Drizzle databases have it
 * under the same name. Making one costs nothing.
 */
export type Db = {
  $client: NeonQueryFunction<false, false>
  /** Returns the Postgres role (schema/rights.ts), for the log. */
  role?: () => string
  /** The session of every statement (session.ts). No statement runs once it is revoked. */
  ofSession?: SessionClaim
}

/** The session in a session token: the wallet and its session epoch, and the grant of a client's token. */
export type SessionClaim = { wallet: string; epoch: number; grant?: string | undefined }

/** `smallint[]`, such as an agent's layers. The driver would split its text into characters. */
const SMALLINTS = 1005
types.setTypeParser(SMALLINTS, (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`))

const TIMESTAMPTZ = 1184
const TIMESTAMPTZ_ARRAY = 1185
const DATE = 1082
const INTERVAL = 1186
/** Columns decode times and days themselves, from the text of Postgres. */
for (const type of [TIMESTAMPTZ, TIMESTAMPTZ_ARRAY, DATE, INTERVAL])
  types.setTypeParser(type, (text: string) => text)

/** Time limit of a call. A write that timed out may still commit, so only the caller may repeat it. */
export const DATABASE_TIMEOUT_MS = injected('DATABASE_TIMEOUT_MS') ?? 5_000

/** SQLSTATEs of transactions that Postgres rolled back and that may run again: serialization, deadlock. */
const ROLLED_BACK = new Set(['40001', '40P01'])

/**
 * Beginnings of messages of Neon's proxy that mean that no Postgres got the statement: HttpConnError in its
 * proxy/src/serverless/backend.rs, COULD_NOT_CONNECT, REQUEST_FAILED, and Kind::Connect of its Postgres
 * client. "connection closed" is not in the list, because a connection can also be lost during a statement.
 */
const NEVER_RAN = [
  'Failed to acquire permit to connect to the database',
  'Control plane request failed',
  "Couldn't connect to compute node",
  'error connecting to server',
  'pooled connection closed at inconsistent state',
]

/**
 * Makes a database client for one request. It opens no connection; the first statement is the first fetch.
 * @param subrequests counts each attempt
 */
export function connect(url: string, subrequests?: SubrequestCounter): Db {
  neonConfig.fetchFunction = resilientFetch
  // The driver has one global fetch function, and passes these options with each call.
  return {
    $client: neon(url, { disableWarningInBrowsers: true, fetchOptions: { subrequests } }),
    role: () => new URL(url).username,
  }
}

type Init = RequestInit & { body: string; subrequests?: SubrequestCounter | undefined; isRead?: boolean }

/**
 * Fetches for the driver, with a time limit and one repeat if that is safe. `isRead` comes from the
 * statement's declaration (statement.ts). A call that timed out is not repeated, because the caller has
 * waited long enough.
 */
async function resilientFetch(
  url: string,
  { subrequests, isRead = false, ...init }: Init,
): Promise<Response> {
  const attempt = () => {
    subrequests?.count('sql')
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
 * Checks whether a failed statement may be sent again: one that did nothing, or a read whose answer was
 * lost. For a lost answer the proxy sends 400 without an SQLSTATE.
 */
async function mayRepeat(answer: Response, isRead: boolean): Promise<boolean> {
  if (isRead && answer.status >= 500) return true
  const error = await answer.json<{ code?: string; message?: string } | null>().catch(() => null)
  if (error?.code) return ROLLED_BACK.has(error.code)
  const message = error?.message ?? ''
  return (isRead && answer.status === 400) || NEVER_RAN.some((beginning) => message.startsWith(beginning))
}
