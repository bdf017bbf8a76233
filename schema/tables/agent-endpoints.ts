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
 * The endpoints that a wallet's active agents and registry entries name. A limited share of them is probed.
 * When one is no longer named, the next endpoint is probed instead. Triggers on agents and registry_agents
 * write this table, under the lock of the wallet's quota row (migrations/0000_init.sql).
 */
export const namedEndpoints = pgTable(
  'named_endpoints',
  {
    wallet: text().$type<Wallet>().notNull(),
    /** SHA-256 in hexadecimal: a URL may be longer than an index entry. */
    urlHash: text('url_hash').notNull(),
    protocol: text({ enum: apiProtocols }).notNull(),
    url: text().notNull(),
    /** The number of the wallet's active agents and entries that name it. At 0 the row is deleted. */
    agents: integer().notNull(),
    /** Whether it is in the wallet's share. */
    isWatched: boolean('is_watched').notNull(),
  },
  (t) => [primaryKey({ columns: [t.wallet, t.urlHash, t.protocol] })],
)

/**
 * The probed agent endpoints, with the last observation of each. An exact URL and protocol in some wallet's
 * share has one row, for any number of agents. The same triggers make and delete the rows; only the probes
 * Worker writes observations.
 */
export const agentEndpoints = pgTable(
  'agent_endpoints',
  {
    urlHash: text('url_hash').notNull(),
    protocol: text({ enum: apiProtocols }).notNull(),
    url: text().notNull(),
    /** The order of enqueueing: the endpoint that was named first is first. */
    number: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    /** The number of wallets with it in their share. At 0 the row is deleted. */
    wallets: integer().notNull(),
    /**
     * The URL's host and port in canonical form. Null until a job run has read the URL; empty if it may not
     * be probed.
     */
    host: text(),
    status: text({ enum: agentEndpointStatuses }).notNull().default('unknown'),
    checkedAt: instant('checked_at'),
    /** The latency of the last answer. */
    latencyMs: integer('latency_ms'),
    /** Whether it last required authentication. */
    isAuthRequired: boolean('is_auth_required').notNull().default(false),
    /** The status of its host's own agent card, and the card's original text. */
    cardStatus: text('card_status', { enum: cardStatuses }).notNull().default('none'),
    card: text(),
    /** The entity tag of the last body, for conditional requests. */
    etag: text(),
    /**
     * The agent's identifier in its host's own ard.json, the agent itself (`<kind>:<key>`), and the file's
     * entity tag.
     */
    identifier: text(),
    identifies: text(),
    manifestEtag: text('manifest_etag'),
    /** The beginning and the number of the uninterrupted failures. */
    failingSince: instant('failing_since'),
    failures: smallint().notNull().default(0),
    /**
     * The last day with counts (days since 1970, UTC), and the counts of it and the 29 days before, newest
     * first.
     */
    countedDay: integer('counted_day').notNull().default(0),
    dayChecks: smallint('day_checks').array().notNull().default(sql`'{}'`),
    daySuccesses: smallint('day_successes').array().notNull().default(sql`'{}'`),
    /** The share of them that succeeded, from 0 to 1; null before the first. */
    uptime30d: doublePrecision('uptime_30d'),
    /**
     * When its host's robots.txt (and ard.json) was last read, and whether that forbids probes of it.
     */
    robotsReadAt: instant('robots_read_at'),
    isOptedOut: boolean('is_opted_out').notNull().default(false),
    /** Null: not due. While it is leased, the lease's end. */
    nextProbeAt: instant('next_probe_at'),
    lease: uuid(),
    /** The number of leases since the last recorded probe; it may have crashed some job runs. */
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
     * Its queue: `first` until its first run. Then it depends on whether any endpoint was last live, and
     * whether the host was slow lately.
     */
    queue: text({ enum: hostQueues }).notNull().default('first'),
    /** The time until which it counts as slow. */
    slowUntil: instant('slow_until'),
    /** The earliest time of the next run: the end of a lease, or of the pause after a run. */
    freeAt: instant('free_at').notNull(),
    /** When its next run is due; null if none is. */
    nextTurnAt: instant('next_turn_at'),
    /** Whether its last batch was of priced routes. Then its endpoints, if due, have the next one. */
    endpointsNext: boolean('endpoints_next').notNull().default(false),
  },
  (t) => [index('probed_hosts_due').on(t.queue, t.nextTurnAt)],
)
