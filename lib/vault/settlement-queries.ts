import { type SQL, sql } from 'drizzle-orm'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { insertEvents } from '../outbox/queries.ts'
import { positionClosed, positionOpened, yieldClaimed } from './event-queries.ts'
import { assemble, type Intent, type RecordedVault, vaultSelects } from './queries.ts'

/** What an account was seen to hold. */
export type SeenBalance = { address: string; balance: bigint }

/** What the chain says became of an intent, and at which slot its accounts were seen. */
export type Outcome =
  | { kind: 'landed'; intent: Intent; balances: SeenBalance[]; slot: bigint }
  | { kind: 'expired'; intent: Intent }

/**
 * Records outcomes, each guarded by its intent's status and so at most once, with the event that says so, and reads the
 * vault as it then is: one round trip, one transaction.
 */
export async function recordOutcomes(
  db: Db,
  owner: string,
  outcomes: [Outcome, ...Outcome[]],
  now: Date,
): Promise<RecordedVault> {
  const [first, ...rest] = outcomes
  const record = (outcome: Outcome) => db.execute(statementOf(outcome, now))
  // The vault's row is locked first: statements lock an intent, then the vault, so two batches of other orders would
  // otherwise wait for each other.
  const lock = db.execute(sql`select from vaults where owner = ${owner} for update`)
  const results: unknown[] = await batch(db, [
    lock,
    record(first),
    ...rest.map(record),
    ...vaultSelects(db, owner),
  ])
  const [vault, positions, intents] = results.slice(-3) as Parameters<typeof assemble>
  return assemble(vault, positions, intents)
}

function statementOf(outcome: Outcome, now: Date): SQL {
  const { intent } = outcome
  if (outcome.kind === 'expired') return expire(intent, now)
  if (intent.kind === 'stack') return openPosition(outcome, now)
  return intent.kind === 'claim' ? payOut(outcome, now) : closePosition(intent, now)
}

/** The guard of every statement: it has the intent's row once, for the call that resolves it. */
const resolve = (intent: Intent, status: 'landed' | 'expired', from: SQL, now: Date): SQL => sql`
  before as (select id, owner, status from vault_intents where id = ${intent.id}::uuid for update),
  resolved as (
    update vault_intents set status = ${status}, resolved_at = ${instant(now)} from before
    where vault_intents.id = before.id and before.status in ${from}
    returning vault_intents.*, before.status as status_before)`

const OPEN = sql`('open')`
/** A stack that was given up may turn up after all: see the jobs Worker. */
const OPEN_OR_EXPIRED = sql`('open', 'expired')`

type Landed = Extract<Outcome, { kind: 'landed' }>

const openPosition = ({ intent, balances, slot }: Landed, now: Date): SQL => sql`
  with ${resolve(intent, 'landed', OPEN_OR_EXPIRED, now)},
  numbered as (
    update vaults set next_position_id = next_position_id + 1,
      open_stacks = open_stacks - (case when resolved.status_before = 'open' then 1 else 0 end)
    from resolved where vaults.owner = resolved.owner
    returning next_position_id - 1 as id),
  opened as (
    insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, escrowed,
      seen_slot)
    select resolved.owner, numbered.id, legs.address, resolved.generation, legs.amount, resolved.lock_days,
      resolved.apy_bps, resolved.staked_at, ${(balances[0]?.balance ?? 0n).toString()}::bigint,
      ${slot.toString()}::bigint
    from resolved, numbered, vault_intent_legs legs where legs.intent_id = resolved.id
    returning positions.*)
  ${insertEvents(now, [positionOpened()])}`

const payOut = ({ intent, balances, slot }: Landed, now: Date): SQL => sql`
  with ${resolve(intent, 'landed', OPEN, now)},
  paid as (
    update positions set claimed = claimed + legs.amount, open_claim = null, escrowed = seen.balance,
      seen_slot = ${slot.toString()}::bigint
    from resolved, vault_intent_legs legs, ${seen(balances)}
    where legs.intent_id = resolved.id and positions.address = legs.address and seen.address = legs.address
    returning positions.owner, positions.id, legs.amount, resolved.id as intent_id)
  ${insertEvents(now, [yieldClaimed(now)])}`

/** Every unstack of a position that is gone has what it wanted, so they all land together. */
const closePosition = (intent: Intent, now: Date): SQL => sql`
  with ${resolve(intent, 'landed', OPEN, now)},
  closed as (
    update positions set status = 'withdrawn', withdrawn_at = ${instant(now)}, escrowed = 0
    from resolved, vault_intent_legs legs
    where legs.intent_id = resolved.id and positions.address = legs.address and positions.status = 'open'
    returning positions.*)
  ${insertEvents(now, [positionClosed()])}`

const expire = (intent: Intent, now: Date): SQL => sql`
  with ${resolve(intent, 'expired', OPEN, now)},
  released as (
    update positions set open_claim = null from resolved where positions.open_claim = resolved.id
    returning positions.id)
  update vaults set open_stacks = open_stacks - 1
  from resolved where vaults.owner = resolved.owner and resolved.kind = 'stack'`

const instant = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`

const seen = (balances: SeenBalance[]): SQL => sql`unnest(
  ${`{${balances.map(({ address }) => address).join(',')}}`}::text[],
  ${`{${balances.map(({ balance }) => balance).join(',')}}`}::bigint[]) as seen (address, balance)`
