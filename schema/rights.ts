import { money, settlement, x402 } from './rights/chain.ts'
import { FORMER, type Former } from './rights/former.ts'
import type { Rights } from './rights/rights.ts'
import { jobs, probes } from './rights/rounds.ts'
import { auth, decide, live, read } from './rights/wallets.ts'

export { ALL, type Columns, type Rights } from './rights/rights.ts'

/**
 * Who may do what in Postgres. A group of rights is a role that cannot log in, `agentcred_<group>`, with two
 * logins, `agentcred_<group>_a` and `_b`, so that a password is changed without an outage. Workers log in by
 * their group's. What must happen once is a function, which runs as the owner: a Worker that may hire needs
 * no right to write hires. Nobody else has a right, PUBLIC included. What makes the SQL:
 * lib/local/neon/rights.ts.
 *
 * A right that Workers need no more goes to rights/former.ts: those of the release before still need it.
 */
const RIGHTS = { read, auth, decide, money, x402, jobs, settlement, probes, live } as const satisfies Record<
  string,
  Rights
>

/**
 * What no Worker may touch: tables that only functions use, and functions that only the operator's scripts
 * call. A new table or function has to be here or above.
 */
export const OWNERS = {
  tables: [
    ...['named_endpoints', 'dealings', 'agent_hirers', 'payment_generations', 'invite_codes'],
    ...['credit_purchases', 'sponsored_days', 'request_payers', 'payer_failures'],
  ],
  functions: [
    ...['hold_collection', 'record_found_intent', 'settle_held'],
    // Called by the functions of payments' relay.
    'record_credit',
  ],
}

export type Group = keyof typeof RIGHTS
export const groups = Object.keys(RIGHTS) as Group[]

/** The rights of a group, of which a few have none of a kind. */
export const rightsOf = (group: Group): Rights => RIGHTS[group]

/** Rights that only earlier releases' Workers need. */
export const former: readonly (Former & { group: Group })[] = FORMER

const PREFIX = 'agentcred_'
export const roleOf = (group: Group): string => `${PREFIX}${group}`

/** The two logins of a group: Workers use one, the other's password is changed meanwhile. */
export const slots = ['a', 'b'] as const
type Slot = (typeof slots)[number]
export const loginOf = (group: Group, slot: Slot): string => `${roleOf(group)}_${slot}`
export const logins: readonly string[] = groups.flatMap((group) => slots.map((slot) => loginOf(group, slot)))

/** The group of a Worker's rights; undefined for one without a database. */
export const groupOf = (worker: string): Group | undefined =>
  groups.find((group) => rightsOf(group).workers.includes(worker))
