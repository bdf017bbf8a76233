import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { agentEndpointStatuses, apiProtocols, cardStatuses, hostQueues } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

/**
 * Which endpoints the active agents and registry entries of a wallet name. A share of them is looked at: what
 * becomes free of it goes to the next. Triggers on agents and registry_agents write this table, under the
 * lock of the wallet's quota row (migrations/0000_init.sql).
 */
export const namedEndpoints = pgTable(
  'named_endpoints',
  {
    wallet: text().$type<Wallet>().notNull(),
    /** SHA-256 in hexadecimal: a URL may be longer than an index entry. */
    urlHash: text('url_hash').notNull(),
    protocol: text({ enum: apiProtocols }).notNull(),
    url: text().notNull(),
    /** How many of the wallet's active agents and entries name it. At 0 the row is deleted. */
    agents: integer().notNull(),
    /** Whether it is of the wallet's share. */
    isWatched: boolean('is_watched').notNull(),
  },
  (t) => [primaryKey({ columns: [t.wallet, t.urlHash, t.protocol] })],
)

/**
 * The agent endpoints that are looked at, with the last observation of each: one row for each exact URL and
 * protocol that is of some wallet's share, however many agents name it. The same triggers make and delete the
 * rows; observations are written by the probes Worker alone.
 */
export const agentEndpoints = pgTable(
  'agent_endpoints',
  {
    urlHash: text('url_hash').notNull(),
    protocol: text({ enum: apiProtocols }).notNull(),
    url: text().notNull(),
    /** Who was named first is put in line first. */
    number: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    /** How many wallets have it in their share. At 0 the row is deleted. */
    wallets: integer().notNull(),
    /**
     * The URL's host and port in one spelling. Null until a round has read the URL; empty: none may be asked.
     */
    host: text(),
    status: text({ enum: agentEndpointStatuses }).notNull().default('unknown'),
    checkedAt: instant('checked_at'),
    /** Of the last answer. */
    latencyMs: integer('latency_ms'),
    /** Whether it last asked who calls. */
    isAuthRequired: boolean('is_auth_required').notNull().default(false),
    /** What its host's own agent card is worth, and its text as it was served. */
    cardStatus: text('card_status', { enum: cardStatuses }).notNull().default('none'),
    card: text(),
    /** The entity tag of the last body that was read, to ask for nothing that has not changed. */
    etag: text(),
    /**
     * How its host's own ard.json calls the agent here (its identifier), which one that is (`<kind>:<key>`),
     * and that file's entity tag.
     */
    identifier: text(),
    identifies: text(),
    manifestEtag: text('manifest_etag'),
    /** Since when nothing but failures was seen, and how many. */
    failingSince: instant('failing_since'),
    failures: smallint().notNull().default(0),
    /**
     * The last day (days since 1970, UTC) that has counts, and the counts of it and the 29 days before,
     * newest first.
     */
    countedDay: integer('counted_day').notNull().default(0),
    dayChecks: smallint('day_checks').array().notNull().default(sql`'{}'`),
    daySuccesses: smallint('day_successes').array().notNull().default(sql`'{}'`),
    /** The share of them that succeeded, from 0 to 1; null before the first. */
    uptime30d: doublePrecision('uptime_30d'),
    /**
     * When its host's robots.txt (and ard.json) was last read, and whether that wants no probes of it.
     */
    robotsReadAt: instant('robots_read_at'),
    isOptedOut: boolean('is_opted_out').notNull().default(false),
    /** Null: not due. While it is leased, the lease's end. */
    nextProbeAt: instant('next_probe_at'),
    lease: uuid(),
    /** How many turns have leased it since one was recorded: a turn may have died of it. */
    begun: smallint().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.urlHash, t.protocol] }),
    index('agent_endpoints_new').on(t.number).where(sql`${t.host} is null`),
    index('agent_endpoints_due').on(t.host, t.nextProbeAt).where(sql`${t.nextProbeAt} is not null`),
    index('agent_endpoints_live')
      .on(t.host, t.nextProbeAt)
      .where(sql`${t.status} = 'live' and ${t.nextProbeAt} is not null`),
    index('agent_endpoints_by_identifier').on(t.identifier).where(sql`${t.identifier} is not null`),
    index('agent_endpoints_named_by_host')
      .on(t.number)
      .where(sql`${t.status} = 'live' and split_part(${t.identifies}, ':', 1) = 'registered'`),
    check('agent_endpoints_wallets', sql`${t.wallets} >= 0`),
  ],
)

/** The hosts that are probed. A host is leased as a whole, so that it has one request at a time. */
export const probedHosts = pgTable(
  'probed_hosts',
  {
    host: text().primaryKey(),
    /**
     * Where it waits: `first` until its first turn; then by whether any endpoint was last seen live, and
     * whether the host was slow lately.
     */
    queue: text({ enum: hostQueues }).notNull().default('first'),
    /** Until when it counts as slow. */
    slowUntil: instant('slow_until'),
    /** The next turn is not before this: the end of a lease, or of the pause after a turn. */
    freeAt: instant('free_at').notNull(),
    /** When its next turn is due; null: nothing of it is. */
    nextTurnAt: instant('next_turn_at'),
  },
  (t) => [index('probed_hosts_due').on(t.queue, t.nextTurnAt)],
)
