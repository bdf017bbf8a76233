import { base58, base64 } from '@scure/base'
import * as postgres from '../../db/functions.ts'
import { Refusal } from '../../refusal.ts'
import { ownTokenAccount } from '../../solana/cred-account.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { completeTransaction } from '../../transactions/cosigning/check.ts'
import { announcedAfter, announceSigned } from '../../transactions/relay/announced.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import { lastBlockOf, requireSuccess, tryOut } from '../../transactions/relay/network.ts'
import {
  alreadyCosigned,
  expired,
  noSuchTransaction,
  requireOurs,
  type Signed,
  signedBefore,
} from '../../transactions/relay/signed-once.ts'
import { vaultAccount } from '../addresses.ts'
import { vaultState } from '../chain-state.ts'
import type { VaultDeps } from '../deps.ts'
import { keysOf } from '../keyring.ts'
import { leaseEnd } from '../lease-queries.ts'
import { positionsAfter } from '../limits.ts'
import { findTransaction, type Intent } from '../queries.ts'
import { requireAdmission, requireStacking, yieldDayOf } from '../stacking/admission.ts'
import { unlessFull } from '../stacking/room.ts'
import { hasLapsed, isOver, isUnsigned } from './signing.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A transaction that nothing lacks, Base64, and the owner's signature, which is its id on the network,
 * Base58.
 */
export type SignedTransaction = { transaction: string; signature: string }

/**
 * Completes a transaction that its owner's wallet has signed first. The authority signs one message of an
 * intent, ever: recorded before it signs, where the intent is open and before its deadline. The same message
 * again gives the same bytes; another is refused.
 * @param given what the wallet returned, Base64
 * @throws Refusal transaction_not_ours, already_cosigned, not_cosigned, transaction_expired,
 *   transaction_failed, stacking_paused, too_many_open_stacks, quota_exceeded,
 *   yield_limit, yield_settling, dependency_unavailable
 */
export async function completeWalletFirst(
  deps: VaultDeps,
  intent: Intent,
  given: string,
): Promise<SignedTransaction> {
  const { message, ownerSignature } = isUnsigned(intent)
    ? await signNow(deps, intent, given).catch((error) => signedMeanwhile(deps, intent, given, error))
    : await signedAgain(deps, intent, given)
  const cosignature = intent.kind === 'open_vault' ? undefined : await cosignatureOf(deps, intent, message)
  return {
    transaction: completeTransaction(message, ownerSignature, cosignature),
    signature: base58.encode(ownerSignature),
  }
}

/** Signs only the message that was recorded in the database as the intent's one message. */
async function cosignatureOf({ keyring }: VaultDeps, { generation }: Intent, message: Bytes): Promise<Bytes> {
  return keysOf(await keyring(), generation).signer.sign(message)
}

/** What was recorded before: announced again, since it is sent again. */
async function signedAgain(deps: VaultDeps, intent: Intent, given: string): Promise<Signed> {
  const signed = signedBefore(intent, given)
  if (!isOver(intent)) await announceSigned(deps)
  return signed
}

/** The same call at the same time may have signed it, so that it has landed and would not land again. */
async function signedMeanwhile(
  deps: VaultDeps,
  { id }: Intent,
  given: string,
  error: unknown,
): Promise<Signed> {
  const found = error instanceof Refusal ? await findTransaction(deps.db, id) : undefined
  if (!found || isUnsigned(found.intent)) throw error
  return signedAgain(deps, found.intent, given)
}

/** Checks what the wallet returned and records it as the one message of the intent. */
async function signNow(deps: VaultDeps, intent: Intent, given: string): Promise<Signed> {
  if (intent.status !== 'open' || hasLapsed(intent, deps.now)) throw expired()
  if (isStack(intent)) requireStacking(deps.isStackingOn, [], intent.generation)
  const parties = await partiesOf(deps, intent)
  const { message, ownerSignature, blockhash } = await requireOurs(intent.transaction, given, parties)
  const lastValidBlockHeight = await requireLanding(deps, intent, given, blockhash)
  await record(deps, intent, {
    message: base64.encode(message),
    networkSignature: base58.encode(ownerSignature),
    lastValidBlockHeight,
  })
  return { message, ownerSignature }
}

/** Whose accounts a transaction of the vault names. */
async function partiesOf({ escrow }: VaultDeps, { owner, generation }: Intent) {
  const { mint, generations } = escrow
  const keys = generations.find((known) => known.generation === generation)
  const { address: vault } = await vaultAccount({ owner, keys: { generation } })
  return { own: [mint, vault], others: keys ? [await associatedTokenAddress(keys.authority, mint)] : [] }
}

/**
 * Asks the chain whether the transaction would land as it is: a blockhash that it takes, an effect without
 * failure, and for a stack the vault and the owner's tokens, read again. Two waves of calls.
 * @returns the last block that can hold it
 */
async function requireLanding(
  { rpc, escrow }: VaultDeps,
  intent: Intent,
  given: string,
  blockhash: string,
): Promise<bigint> {
  const { owner, generation, kind } = intent
  const keys = escrow.generations.find((known) => known.generation === generation)
  const held = keys && { owner, mint: escrow.mint, keys }
  const [trial, seen] = await Promise.all([
    tryOut(rpc, given, blockhash),
    kind === 'stack' && held
      ? rpc.accounts([(await vaultAccount(held)).address, await associatedTokenAddress(owner, escrow.mint)], {
          minSlot: intent.builtSlot,
        })
      : undefined,
  ])
  if (!trial.isValid) throw expired()
  if (kind === 'stack') {
    const [vault, ownerTokens] = seen?.accounts ?? []
    const principal = intent.legs[0]?.amount
    if (!held || principal === undefined) throw new Error('a stack of an unknown generation or amount')
    // Under any other vault, or none, the yield would be its owner's at once.
    if (vaultState(vault, held).kind !== 'open') throw notCosigned('your vault does not stand yet')
    const funds = ownTokenAccount(ownerTokens, held)?.amount ?? 0n
    if (funds < principal) throw notCosigned('your account does not hold its amount')
  }
  requireSuccess(trial)
  return lastBlockOf(rpc, trial)
}

/** What the switches and limits of new stacks are for. */
const isStack = ({ kind }: Intent): boolean => kind === 'stack' || kind === 'open_vault'

/** @throws Refusal unless this message was recorded */
async function record(
  deps: VaultDeps,
  { id, owner, kind, transaction }: Intent,
  signed: { message: string; networkSignature: string; lastValidBlockHeight: bigint },
): Promise<void> {
  const { db, limits, now, wakeBy } = deps
  const cosigned = {
    ...{ id, owner, transaction, ...signed, ...limits, now },
    builtAfter: deadlinePassed(now),
    yieldDay: yieldDayOf(now),
    leaseEnd: leaseEnd(now),
  }
  const { outcome, room } = await unlessFull(deps, () =>
    announcedAfter(deps, () => postgres.cosignVaultIntent.call(db, cosigned)),
  )
  switch (outcome) {
    case 'not_found':
      throw noSuchTransaction()
    case 'over':
      throw expired()
    case 'already_cosigned':
      throw alreadyCosigned()
    default:
      requireAdmission({ outcome, room }, now)
      if (kind === 'stack') wakeBy('positions', positionsAfter(now))
  }
}

const notCosigned = (why: string) =>
  new Refusal('not_cosigned', `The service has not signed the stake, since ${why}: ask for it again then.`)
