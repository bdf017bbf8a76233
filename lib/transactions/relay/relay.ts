import { base58, base64 } from '@scure/base'
import { ApiError } from '../../api-error.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { completeTransaction } from '../cosigning/check.ts'
import type { Parties } from '../cosigning/match.ts'
import { deadlinePassed } from './limits.ts'
import { preflight, send } from './network.ts'
import { type ScheduleDeps, scheduleSettlement } from './schedule.ts'
import { expired, type RecordedMessage, requireUnaltered, type Signed, signedBefore } from './signed-once.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A recorded transaction that its wallet signs first. */
export type Relayable = RecordedMessage & {
  id: string
  /** Base64, its signatures empty. */
  transaction: string
  createdAt: Date
  /** When its one message was recorded. */
  cosignedAt: Date | null
}

/** The one message of a transaction, as it is recorded: Base64, Base58, a block height. */
type SignedMessage = { message: string; networkSignature: string; lastValidBlockHeight: bigint }

/** What a feature decides about its transactions. */
export type RelayPolicy<T extends Relayable> = {
  /** Reads the transaction again. */
  find(id: string): Promise<T | undefined>
  /** Returns whose accounts the transaction names. */
  parties(tx: T): Promise<Parties>
  /** @throws ApiError if the service accepts no first signature of it now; a resend does not call this */
  requireAllowed?(tx: T): void
  /** Reads accounts during the simulation, and returns their check. */
  readAccounts?(tx: T): Promise<() => void>
  /** Records the message in one write. @throws ApiError unless it was recorded */
  record(tx: T, signed: SignedMessage): Promise<void>
  /** Signs for the service; undefined where the wallet signs alone. */
  cosign(tx: T, message: Bytes): Promise<Bytes> | undefined
  /** Whether it has landed and is not sent again. */
  isFinal(tx: T): boolean
}

type RelayDeps = ScheduleDeps & { rpc: Rpc; now: Date }

/**
 * Sends a transaction that its wallet has signed. The service signs one message of it, ever, and records that
 * message first, while the transaction is open and before its deadline. The same message is sent again,
 * another is refused.
 * @param submitted what the wallet returned, Base64
 * @returns the wallet's signature, which is the transaction's id on the network, Base58
 * @throws ApiError transaction_not_ours, already_cosigned, transaction_expired, transaction_failed,
 *   dependency_unavailable, and what the policy throws
 */
export async function relay<T extends Relayable>(
  deps: RelayDeps,
  policy: RelayPolicy<T>,
  tx: T,
  submitted: string,
): Promise<string> {
  if (!isAwaitingSignature(tx)) return resend(deps, policy, tx, submitted)
  let signed: Signed
  try {
    signed = await recordFirst(deps, policy, tx, submitted)
  } catch (error) {
    // A concurrent call with the same message may have recorded it, so that this one could not.
    const found = error instanceof ApiError ? await policy.find(tx.id) : undefined
    if (!found || isAwaitingSignature(found)) throw error
    return resend(deps, policy, found, submitted)
  }
  return scheduleAndSend(deps, policy, tx, signed)
}

const isAwaitingSignature = ({ cosignedAt }: Relayable): boolean => cosignedAt === null

async function resend<T extends Relayable>(
  deps: RelayDeps,
  policy: RelayPolicy<T>,
  tx: T,
  submitted: string,
): Promise<string> {
  const signed = signedBefore(tx, submitted)
  return policy.isFinal(tx) ? base58.encode(signed.ownerSignature) : scheduleAndSend(deps, policy, tx, signed)
}

/** Checks what the wallet returned, asks the network in two waves of calls, and records the message. */
async function recordFirst<T extends Relayable>(
  { rpc, now }: RelayDeps,
  policy: RelayPolicy<T>,
  tx: T,
  submitted: string,
): Promise<Signed> {
  if (tx.status !== 'open' || tx.createdAt <= deadlinePassed(now)) throw expired()
  policy.requireAllowed?.(tx)
  const parties = await policy.parties(tx)
  const { message, ownerSignature, blockhash } = await requireUnaltered(tx.transaction, submitted, parties)
  const readAccounts = async () => policy.readAccounts?.(tx)
  const lastValidBlockHeight = await preflight(rpc, { submitted, blockhash, readAccounts })
  const networkSignature = base58.encode(ownerSignature)
  await policy.record(tx, { message: base64.encode(message), networkSignature, lastValidBlockHeight })
  return { message, ownerSignature }
}

/**
 * Schedules before it sends, so that the settlement job finds the transaction even if the Worker dies in
 * between.
 */
async function scheduleAndSend<T extends Relayable>(
  deps: RelayDeps,
  policy: RelayPolicy<T>,
  tx: T,
  { message, ownerSignature }: Signed,
): Promise<string> {
  await scheduleSettlement(deps)
  const transaction = completeTransaction(message, ownerSignature, await policy.cosign(tx, message))
  return send(deps.rpc, { transaction, signature: base58.encode(ownerSignature) })
}
