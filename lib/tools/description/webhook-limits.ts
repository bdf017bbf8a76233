import * as limits from '../../events/limits.ts'
import { number, rate, span } from './units.ts'

const bucket = ({ tokens, everyMs }: limits.TokenBucket): string => `bucket of ${tokens}, ${rate(everyMs)}`

const { BUCKETS } = limits

/** The limits of webhooks: what is limited, of what, the value, and what the limit stops. */
const rows: [what: string, of: string, value: string, stops: string][] = [
  ['answer', 'attempt', span(limits.WEBHOOK_TIMEOUT_MS), 'receivers that hang'],
  [
    'lease',
    'run',
    `${span(limits.LEASE_MS)}; no attempt starts after ${span(limits.SENDING_MS)}`,
    'lost runs; the platform ends one after 30 s',
  ],
  ['attempts at once', 'run; endpoint in a run', `${limits.AT_ONCE}`, 'an endpoint that fills a run'],
  ['prompt answer', 'endpoint; run', span(limits.PROMPT_MS), 'slow endpoints that hold up others'],
  [
    'attempts',
    'delivery',
    `${limits.MAX_ATTEMPTS}: at once, then after ${limits.RETRY_DELAYS_MS.map(span).join(', ')}, each up to ${limits.JITTER * 100} % longer`,
    'endless retries',
  ],
  ['`Retry-After`', 'destination; delivery', `up to ${span(limits.MAX_RETRY_AFTER_MS)}`, 'endless pauses'],
  [
    'probe of a failing destination',
    'destination',
    `one, ${span(limits.FAILING_PAUSE_MS)} after the last, started 1 to ${limits.MAX_PROBE_DELAY_S} s late`,
    'a dead endpoint with a backlog',
  ],
  [
    'request for a proof',
    'destination',
    `one in ${span(limits.REQUEST_MS)}, doubling to ${span(limits.MAX_REQUEST_MS)}; at once for a test event`,
    'dead URLs that crowd a host',
  ],
  ['time without a 2xx', 'endpoint', `${span(limits.FAILING_LIMIT_MS)}, then disabled`, 'endless failure'],
  [
    'backlog',
    'endpoint',
    `${number(limits.MAX_WAITING)}, then disabled; of rank 0 the newest ${number(limits.MAX_FREE_WAITING)} are kept`,
    'endless backlogs; unpaid hires that disable an endpoint',
  ],
  [
    'attempts at proven destinations',
    'wallet and host',
    bucket(BUCKETS.proven),
    'one tenant that floods its host',
  ],
  ['attempts at failing destinations', 'host', bucket(BUCKETS.failing), 'hammering'],
  ['requests for a proof', 'host and class', bucket(BUCKETS.requests), 'strangers that delay paying wallets'],
  [
    'events to unconfirmed destinations',
    'host and class',
    bucket(BUCKETS.unconfirmed),
    'webhooks aimed at a host that answers 2xx to everything',
  ],
  ['attempts at trusted hosts', 'host and class', bucket(BUCKETS.trusted), 'the same'],
  [
    'events to an unconfirmed destination',
    'destination',
    bucket(BUCKETS.url),
    'one URL that takes its host’s tokens',
  ],
  [
    'attempts at destinations that are not proven',
    'all hosts',
    bucket(BUCKETS.strangers),
    'a domain with any number of host names',
  ],
  [
    'wake-up for a recent delivery that is due soon',
    'delivery',
    `${span(limits.FRESH_MS)} after its event; within ${span(limits.SOON_MS)}`,
    'a backlog that keeps the database awake',
  ],
  [
    'other attempts that wake the database',
    'day',
    `${limits.WAKES_OF_PAYING} of paying wallets, ${limits.WAKES_OF_UNPAID} of others; ${limits.WAKES_PER_DESTINATION} of a destination; none after the retry of ${span(limits.RETRY_DELAYS_MS[limits.LAST_WAKING_RETRY - 1] ?? 0)}`,
    'unpaid wallets that keep the database awake',
  ],
]

/** The rows of the table in lib/events/sending/README.md. */
export const webhookLimitRows = (): string[] => rows.map((cells) => `| ${cells.join(' | ')} |\n`)
