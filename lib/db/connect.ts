import { type NeonQueryFunction, neon, neonConfig, types } from '@neondatabase/serverless'
import type { Meter } from '../meter.ts'

/**
 * Neon's HTTP driver: every call is one round trip. A Drizzle database has it by the same name; statements
 * (statement.ts) need no more, and it costs a request nothing to make.
 */
export type Db = { $client: NeonQueryFunction<false, false> }

/** `smallint[]`, such as an agent's layers. The driver would split its text into characters. */
const SMALLINTS = 1005
types.setTypeParser(SMALLINTS, (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`))

/** After this a call is given up. A write given up may still commit, so only the caller can try it again. */
export const DATABASE_TIMEOUT_MS = 5_000

/** Statements that Postgres rolled back whole and asks to run again: serialization failure, deadlock. */
const ROLLED_BACK = new Set(['40001', '40P01'])

/**
 * A database client for one request. Opens nothing: the driver's first fetch is the first statement.
 * @param meter counts every attempt
 */
export function connect(url: string, meter?: Meter): Db {
  neonConfig.fetchFunction = resilientFetch
  // The driver takes its fetch globally, and hands on these options with each call.
  return { $client: neon(url, { disableWarningInBrowsers: true, fetchOptions: { meter } }) }
}

type Init = RequestInit & { body: string; meter?: Meter | undefined }

/**
 * fetch for the driver, with a time limit and one repeat where a repeat cannot do harm: a plain SELECT that
 * met a network failure or a 5xx, and any statement that Postgres says it has rolled back. A timed-out call
 * is not repeated: the caller has waited long enough.
 */
async function resilientFetch(url: string, { meter, ...init }: Init): Promise<Response> {
  const attempt = () => {
    meter?.count('sql')
    return fetch(url, { ...init, signal: AbortSignal.timeout(DATABASE_TIMEOUT_MS) })
  }
  const isRead = /^\{"query":"(\s|\\n)*select\b/i.test(init.body)
  let response: Response
  try {
    response = await attempt()
  } catch (error) {
    if (isRead && !(error instanceof Error && error.name === 'TimeoutError')) return attempt()
    throw error
  }
  if (response.ok) return response
  const repeat = response.status >= 500 ? isRead : await wasRolledBack(response.clone())
  return repeat ? attempt() : response
}

async function wasRolledBack(response: Response): Promise<boolean> {
  const body = await response.json<{ code?: string }>().catch(() => ({ code: undefined }))
  return body.code !== undefined && ROLLED_BACK.has(body.code)
}
