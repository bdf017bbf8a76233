// Generated from schema/functions by npm run generate -- functions. Do not edit.
import type { Address } from '../../schema/address.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { Cred } from '../../schema/amounts.ts'
import type { PositionStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { postgresFunction } from './function.ts'

/**
 * Changes an agent's status, or columns of it by name (null clears one), if the wallet may: as the owner from
 * the statuses of `_owner_from`, as an operator from those of `_operator_from`. What had become due of its
 * hires while the old status was in force is recorded first: leaving `active`, hires with auto_renew have
 * renewed until now; entering it, those whose term ran out meanwhile have expired. Without this a later
 * status would rewrite the past. The check of wallet_quotas refuses one active agent too many.
 */
export const changeAgent = /* @__PURE__ */ postgresFunction<{
  outcome: 'changed' | 'agent_not_found' | 'not_allowed'
  statusBefore: AgentStatus | null
  nudges: string[]
}>()(
  'change_agent',
  {
    id: 'uuid',
    wallet: 'text',
    isOperator: 'boolean',
    changes: 'json',
    status: 'text?',
    reason: 'text?',
    ownerFrom: 'text[]',
    operatorFrom: 'text[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    statusBefore: 'text?',
    nudges: 'text[]',
  },
)

/**
 * Records the one message of a transaction that its owner's wallet has signed first, before the authority
 * signs it: where the intent is open, was built after `_built_after` and has no message. Every signature of
 * the authority at the relay follows this. A stack, or the opening of a vault, is admitted now, and takes its
 * share of the yield limits.
 */
export const cosignVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'not_found' | 'already_cosigned' | 'over' | 'stacking_paused' | 'too_many_open_stacks' | 'no_place' | 'yield_limit'
  room: Cred | null
}>()(
  'cosign_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    message: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: 'bigint',
    builtAfter: 'timestamptz',
    yieldDay: 'date',
    perWallet: 'bigint',
    perDay: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    room: 'bigint?',
  },
)

/**
 * Deletes built transactions of the vault that expired or failed and were built before `_before`, the oldest
 * first, with their legs; only those that were never signed unless `_were_signed`.
 */
export const deleteEndedVaultIntents = /* @__PURE__ */ postgresFunction<{
  deleted: number
}>()(
  'delete_ended_vault_intents',
  {
    before: 'timestamptz',
    wereSigned: 'boolean',
    limit: 'integer',
  },
  {
    deleted: 'integer',
  },
)

/**
 * Ends a hire of the wallet's at `_now`. A hire that has already ended stays as it is; one whose term has
 * run out unrecorded has expired instead, or renewed until now. Answers, too, what was spent in the hire's
 * last period.
 */
export const endHire = /* @__PURE__ */ postgresFunction<{
  outcome: 'ended' | 'hire_not_found'
  spent: bigint
  nudges: string[]
}>()(
  'end_hire',
  {
    id: 'uuid',
    wallet: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    spent: 'bigint',
    nudges: 'text[]',
  },
)

/**
 * Ends built transactions of the vault that were not signed by their deadline (built at `_built_by` or
 * before), the oldest first, and frees the positions of their claims. What somebody else has locked waits for
 * the next run.
 */
export const expireUnsignedVaultIntents = /* @__PURE__ */ postgresFunction<{
  expired: number
}>()(
  'expire_unsigned_vault_intents',
  {
    builtBy: 'timestamptz',
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    expired: 'integer',
  },
)

/**
 * Records that a built transaction of the vault can't take effect any more, unless the relay has signed it
 * since it was read: with the signature and the last block that it was judged by. Frees the positions of a
 * claim, a stack's place among the open ones and what it holds of the yield limits. After a withdrawal that a
 * gift has spoilt the next one leaves the position's account open.
 */
export const expireVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'expired' | 'over' | 'changed'
}>()(
  'expire_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    networkSignature: 'text?',
    lastValidBlockHeight: 'bigint',
    isSpoilt: 'boolean',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records that a built transaction of the vault has failed, also one that was held to have expired. The yield
 * of a stack that was withdrawn before anyone saw it has left the treasury; that takes the recovery key, so
 * it stops new stacks of its generation like every early payout. The yield of a stack that nothing is proven
 * of counts as taken, and stops nothing. Nothing fails by settings of other keys than were deployed.
 */
export const failVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'failed' | 'over' | 'keys_differ'
}>()(
  'fail_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    reason: 'text',
    authority: 'text',
    recovery: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Hires an agent for a term of whole days from `_now`, on the agent's fee of this moment; without layers,
 * for all of the agent's. What has become of an earlier hire of the same agent is recorded first. Of any
 * number of parallel calls of a wallet one hires: they wait for the agent's row.
 */
export const hireAgent = /* @__PURE__ */ postgresFunction<{
  outcome: 'hired' | 'agent_not_found' | 'agent_not_active' | 'layers_not_supported' | 'already_hired'
  agentStatus: AgentStatus | null
  supportedLayers: number[] | null
  nudges: string[]
}>()(
  'hire_agent',
  {
    id: 'uuid',
    wallet: 'text',
    agentId: 'uuid',
    layers: 'smallint[]?',
    budgetLimit: 'bigint?',
    autoRenew: 'boolean',
    termDays: 'smallint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    agentStatus: 'text?',
    supportedLayers: 'smallint[]?',
    nudges: 'text[]',
  },
)

/**
 * Records that a built transaction of the vault has landed, once, with the event that reports it. A stack
 * opens its position, also one that was held to have expired (sweep.ts); a claim is counted as paid, and
 * frees its positions; an unstack closes its position. Every unstack of a position that is gone counts as
 * landed, whichever emptied it. `_addresses` and `_balances` say what the intent's accounts were seen to hold
 * at `_slot`.
 */
export const landVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'landed' | 'over'
  nudges: string[]
}>()(
  'land_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    addresses: 'text[]',
    balances: 'bigint[]',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    nudges: 'text[]',
  },
)

/**
 * Records a built claim if each of its positions is still as it was read: the owner's, open, without an open
 * claim (but for those that this one replaces), and with the same yield claimed. All of them or nothing: a
 * payout settled since then makes the whole claim void. The four lists have an entry for each position:
 * `_balances` and `_claimed_before` are what the amounts were computed from. `_replaces` names open claims
 * that were not signed when they were read; they are voided unless they were signed since.
 */
export const recordClaim = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'positions_changed'
}>()(
  'record_claim',
  {
    id: 'uuid',
    owner: 'text',
    generation: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    addresses: 'text[]',
    amounts: 'bigint[]',
    balances: 'bigint[]',
    claimedBefore: 'bigint[]',
    replaces: 'uuid[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records up to `_limit` hires whose term has run out, whoever's they are, those first whose term ended
 * first. It waits for nobody: the hires of an agent that another transaction is at work on are left to the
 * next call.
 */
export const recordDueHires = /* @__PURE__ */ postgresFunction<{
  expired: number
  renewed: number
}>()(
  'record_due_hires',
  {
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    expired: 'integer',
    renewed: 'integer',
  },
)

/**
 * Records what one read of the chain showed of open positions, at `_slot`. What a settlement has recorded of
 * a later slot stands. Positions that are gone are closed; those that never were in escrow are void, but none
 * by settings of other keys than were deployed. The lists have an entry for each position; `_early` names
 * those of which more was paid out than had accrued. Returns the positions that were recorded.
 */
export const recordSightings = /* @__PURE__ */ postgresFunction<{
  address: Address
  owner: Wallet
  status: PositionStatus
  generation: number
}>()(
  'record_sightings',
  {
    addresses: 'text[]',
    balances: 'bigint[]',
    statuses: 'text[]',
    authorities: 'text[]',
    recoveries: 'text[]',
    early: 'text[]',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    address: 'text',
    owner: 'text',
    status: 'text',
    generation: 'smallint',
  },
)

/**
 * Records a built stack, or (`_kind` open_vault) the opening of a vault. Of an owner's stacks that were never
 * signed the newest is kept: they are voided by this one. A stack that the authority signs now
 * (service_first) takes its share of the day's yield limits, unless its owner has too many open stacks or
 * positions, its generation is stopped or the limits have no room. What the owner signs first takes nothing
 * of any limit. The rows of owner and day, by which this is decided, are made where they are missing, also
 * for a stack that is refused.
 */
export const recordStack = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'stacking_paused' | 'too_many_open_stacks' | 'no_place' | 'yield_limit'
  room: Cred | null
}>()(
  'record_stack',
  {
    id: 'uuid',
    owner: 'text',
    kind: 'text',
    generation: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    lockDays: 'smallint?',
    apyBps: 'smallint?',
    stakedAt: 'timestamptz?',
    yield: 'bigint?',
    yieldDay: 'date',
    address: 'text',
    principal: 'bigint',
    perWallet: 'bigint',
    perDay: 'bigint',
    leaseEnd: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    room: 'bigint?',
  },
)

/**
 * Records a built unstack if its position is still open, or (`_kind` leftovers) the closing of a withdrawn
 * position's account. Any number may be open at once: only one can land. `_replaces` names intents that this
 * one takes the place of, which are voided unless they were signed.
 */
export const recordWithdrawal = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'position_changed'
}>()(
  'record_withdrawal',
  {
    id: 'uuid',
    owner: 'text',
    kind: 'text',
    generation: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    address: 'text',
    balance: 'bigint',
    replaces: 'uuid[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Offers a new agent, which takes two slots of its wallet's quotas: as one of its agents, and as an active
 * one. The checks of wallet_quotas refuse one too many.
 */
export const registerAgent = /* @__PURE__ */ postgresFunction<{
  nudges: string[]
}>()(
  'register_agent',
  {
    agent: 'json',
    now: 'timestamptz',
  },
  {
    nudges: 'text[]',
  },
)

/**
 * Settles what was suspected of a position by a finalized read. Confirmed, it stops new stacks of its
 * generation. Refuted, the position is as it was read: open, whatever was recorded when it was suspected; but
 * a read refutes nothing that was recorded of a later slot.
 */
export const settleSuspicion = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'superseded'
}>()(
  'settle_suspicion',
  {
    owner: 'text',
    address: 'text',
    isConfirmed: 'boolean',
    balance: 'bigint',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)
