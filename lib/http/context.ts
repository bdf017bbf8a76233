import type { Hono } from 'hono'
import type { Session } from '../auth/session/token.ts'
import type { SubrequestCounter } from '../runtime/subrequests.ts'
import type { RequestRecord } from './request-log.ts'

/** The per-request values from which a Worker builds its dependencies, besides its bindings. */
export type RequestScope = {
  requestId: string
  now: Date
  /** Returns the present time, for state that is read during the request. */
  clock: () => Date
  /** Milliseconds since the request began. */
  elapsed: () => number
  /** Continues work after the answer. */
  background: (work: Promise<unknown>) => void
  /** Counts the subrequests of the dependencies, for the log. */
  subrequests: SubrequestCounter
}

/**
 * The Hono environment: the Worker's bindings, and the variables that middleware sets per request.
 */
export type AppEnv<Bindings extends object, Deps> = {
  Bindings: Bindings
  Variables: {
    requestId: string
    scope: RequestScope
    now: Date
    deps: Deps
    session: Session
    /** The error, for the log line. */
    refused: Pick<RequestRecord, 'code' | 'reason'> | undefined
  }
}

/** The Hono application of one Worker. */
export type App<Bindings extends object, Deps> = Hono<AppEnv<Bindings, Deps>>
