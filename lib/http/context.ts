import type { Hono } from 'hono'
import type { Session } from '../auth/session/token.ts'
import type { Meter } from '../meter.ts'
import type { RequestRecord } from './request-log.ts'

/** What a Worker's dependencies are built from, besides its bindings. */
export type RequestScope = {
  requestId: string
  now: Date
  /** The time as it is, for state that is read while the request is answered. */
  clock: () => Date
  /** Milliseconds since the request began. */
  elapsed: () => number
  /** Lets work outlive the answer. */
  background: (work: Promise<unknown>) => void
  /** Counts what the dependencies ask of other systems, for the log. */
  meter: Meter
}

/**
 * What middleware finds in its context: the Worker's bindings, and per request what the ones before it have
 * set.
 */
export type AppEnv<Bindings extends object, Deps> = {
  Bindings: Bindings
  Variables: {
    requestId: string
    scope: RequestScope
    now: Date
    deps: Deps
    session: Session
    /** Of a refused request, for its log line. */
    refused: Pick<RequestRecord, 'code' | 'reason'> | undefined
  }
}

/** The Hono application of one Worker. */
export type App<Bindings extends object, Deps> = Hono<AppEnv<Bindings, Deps>>
