import { money, settlement, x402 } from './rights/chain.ts'
import { FORMER, type Former } from './rights/former.ts'
import { jobs, probes } from './rights/jobs.ts'
import type { Rights } from './rights/rights.ts'
import { auth, decide, live, read, work } from './rights/wallets.ts'

export { ALL, type Columns, type Rights } from './rights/rights.ts'

/**
 * The rights of Workers in Postgres. A group of rights is a role that can't log in, `agentcred_<group>`. It
 * has two logins, `agentcred_<group>_a` and `_b`, so that a password can change without an outage. Workers
 * log in with their group's login. An action that must happen only once is a function, which runs as the
 * owner. So a Worker that may hire needs no right to write hires. Nobody else has a right, not even PUBLIC.
 * lib/migrations/rights.ts makes the SQL.
 *
 * Move a right that Workers no longer need to rights/former.ts, since the former release's Workers still need
 * it.
 */
const RIGHTS = {
  read,
  auth,
  decide,
  work,
  money,
  x402,
  jobs,
  settlement,
  probes,
  live,
} as const satisfies Record<string, Rights>

/**
 * Tables and functions without a Worker's right: tables that only functions use, and functions that only the
 * operator's scripts call. A new table or function must be here or above.
 */
export const OWNERS = {
  tables: [
    ...['named_endpoints', 'dealings', 'agent_hirers', 'payment_generations', 'invite_codes'],
    ...['credit_purchases', 'sponsored_days', 'request_payers', 'payer_failures', 'delivery_walk'],
  ],
  functions: [
    ...['hold_collection', 'record_found_intent', 'settle_held'],
    ...['count_lost_time', 'record_found_job_payment'],
    // Other functions of the payments relay call it.
    'record_credit',
    // `npm run jobs` calls them.
    ...['extend_jobs', 'delete_job_texts'],
  ],
}

export type Group = keyof typeof RIGHTS
export const groups = Object.keys(RIGHTS) as Group[]

/** Returns the rights of a group. Some groups lack a kind of right. */
export const rightsOf = (group: Group): Rights => RIGHTS[group]

/** The rights that only earlier releases' Workers need. */
export const former: readonly (Former & { group: Group })[] = FORMER

const PREFIX = 'agentcred_'
export const roleOf = (group: Group): string => `${PREFIX}${group}`

/** The two logins of a group: Workers use one while the other's password changes. */
export const slots = ['a', 'b'] as const
type Slot = (typeof slots)[number]
export const loginOf = (group: Group, slot: Slot): string => `${roleOf(group)}_${slot}`
export const logins: readonly string[] = groups.flatMap((group) => slots.map((slot) => loginOf(group, slot)))

/** Returns the group of a Worker's rights; undefined for a Worker without a database. */
export const groupOf = (worker: string): Group | undefined =>
  groups.find((group) => rightsOf(group).workers.includes(worker))
