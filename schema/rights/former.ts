import { ALL, all, ENDPOINT, type Rights } from './rights.ts'

/** A right that a group's Workers needed up to a release. */
export type Former = Partial<Rights> & { until: string; group: string }

/**
 * Rights that this release's Workers no longer need. A database grants them while a release that needs them
 * is recorded as running, since its Workers run with the new ones during an upgrade. The next setup or
 * upgrade revokes them, and a rollback grants them again. Remove an entry with the next release but one.
 */
export const FORMER = [
  // Lists read webhook addresses and contact addresses, too.
  { until: '1.0.0', group: 'read', select: all('agents', 'registry_agents') },
  // The protocols Worker had every list's statements.
  { until: '1.0.0', group: 'read', execute: ['public.listed_name'] },
  // auth revoked sessions by its own statement.
  {
    until: '1.0.0',
    group: 'auth',
    select: { wallets: ['address', 'session_generation'] },
    insert: { wallets: ALL },
    update: { wallets: ['session_generation'] },
  },
  // Reads computed the state of hires themselves.
  { until: '1.0.0', group: 'decide', select: { wallets: ['last_login_at'] } },
  {
    until: '1.0.0',
    group: 'money',
    select: { agents: ['pauses'], wallets: ['address', 'last_login_at'] },
  },
  // Statements, now functions, leased deliveries of several endpoints and walked over all endpoints.
  {
    until: '1.0.0',
    group: 'jobs',
    select: {
      agents: [
        'id',
        'pubkey',
        'registered_at',
        ...['webhook_url', 'webhook_disabled_at', 'webhook_disabled_reason'],
      ],
      endpoints: ENDPOINT,
      ...all('delivery_walk'),
    },
    insert: { webhook_hosts: ALL },
    update: { webhook_hosts: ['since', 'attempts'], delivery_walk: ['after', 'looked_until'] },
  },
] as const satisfies readonly Former[]
