import { base58, base64 } from '@scure/base'
import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { signerOf } from '../../keys/signers.ts'
import { Refusal } from '../../refusal.ts'
import { completeTransaction } from '../../transactions/cosigning/check.ts'
import { announcedAfter, announceSigned } from '../../transactions/relay/announced.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import { lastBlockOf, requireSuccess, send, tryOut } from '../../transactions/relay/network.ts'
import {
  alreadyCosigned,
  expired,
  noSuchTransaction,
  requireOurs,
  type Signed,
  signedBefore,
} from '../../transactions/relay/signed-once.ts'
import { collectorAccount } from '../chain/collector.ts'
import type { RelayDeps } from '../chain-deps.ts'
import { type PaymentSettings, treasuryOf } from '../keys.ts'
import { isCosigned, isUnsigned } from '../settlement/outcomes.ts'
import { findIntent, findToSign, type Intent } from './intent-queries.ts'

/**
 * Sends a transaction that its wallet has signed; of a collection or a purchase, once the authority has
 * signed it, too. One message of each is sent, ever: recorded before the authority signs, where the intent
 * is open and before its deadline. The same message again is sent again, another is refused. What is
 * cosigned is never handed out.
 * @returns the transaction's signature, which is its id on the network
 * @throws Refusal transaction_not_found, transaction_not_ours, already_cosigned, transaction_expired,
 *   transaction_failed, agent_suspended, dependency_unavailable
 */
export async function relayPayment(
  deps: RelayDeps,
  wallet: Wallet,
  { id, transaction: given }: { id: string; transaction: string },
): Promise<{ id: string; signature: string }> {
  const { intent, isBarred } = await findToSign(deps.db, id, deps.now)
  if (intent?.wallet !== wallet) {
    throw noSuchTransaction()
  }
  // Of one that was signed before, too: it may not have reached the network.
  if (isBarred && intent.status === 'open') throw agentSuspended()
  const { message, ownerSignature } = isUnsigned(intent)
    ? await signNow(deps, intent, given).catch((error) => signedMeanwhile(deps, intent, given, error))
    : await signedAgain(deps, intent, given)
  const signature = base58.encode(ownerSignature)
  if (intent.status === 'landed') return { id, signature }
  const cosignature = isCosigned(intent) ? await cosignatureOf(deps, intent, message) : undefined
  const transaction = completeTransaction(message, ownerSignature, cosignature)
  return { id, signature: await send(deps.rpc, { transaction, signature }) }
}

type Bytes = Uint8Array<ArrayBuffer>

/** Signs only the message that was recorded in the database as the intent's one message. */
const cosignatureOf = async (
  { signers }: RelayDeps,
  { generation }: Intent,
  message: Bytes,
): Promise<Bytes> => signerOf(await signers(), generation).sign(message)

/** What was recorded before: announced again, since it is sent again. */
async function signedAgain(deps: RelayDeps, intent: Intent, given: string): Promise<Signed> {
  const signed = signedBefore(intent, given)
  if (intent.status !== 'landed') await announceSigned(deps)
  return signed
}

/** The same call at the same time may have signed it, so that it has landed and would not land again. */
async function signedMeanwhile(
  deps: RelayDeps,
  { id }: Intent,
  given: string,
  error: unknown,
): Promise<Signed> {
  const found = error instanceof Refusal ? await findIntent(deps.db, id) : undefined
  if (!found || isUnsigned(found)) throw error
  return signedAgain(deps, found, given)
}

/**
 * Checks what the wallet returned, asks the chain whether it would land, in two waves of calls, and records
 * it as the one message of the intent.
 */
async function signNow(deps: RelayDeps, intent: Intent, given: string): Promise<Signed> {
  const { db, rpc, now, settings } = deps
  const { id, status, createdAt, transaction } = intent
  if (status !== 'open' || createdAt <= deadlinePassed(now)) throw expired()
  const parties = await partiesOf(settings, intent)
  const { message, ownerSignature, blockhash } = await requireOurs(transaction, given, parties)
  const trial = await tryOut(rpc, given, blockhash)
  if (!trial.isValid) throw expired()
  requireSuccess(trial)
  const signed = {
    id,
    wallet: intent.wallet,
    transaction,
    message: base64.encode(message),
    networkSignature: base58.encode(ownerSignature),
    lastValidBlockHeight: await lastBlockOf(rpc, trial),
    builtAfter: deadlinePassed(now),
    now,
  }
  const { outcome } = await announcedAfter(deps, () => postgres.cosignPayment.call(db, signed))
  switch (outcome) {
    case 'recorded':
      return { message, ownerSignature }
    case 'not_found':
      throw noSuchTransaction()
    case 'agent_suspended':
      throw agentSuspended()
    case 'already_cosigned':
      throw alreadyCosigned()
    case 'expired':
      throw expired()
  }
}

/** Whose accounts a transaction of payments names: what a collection is paid from is the hirers'. */
async function partiesOf(settings: PaymentSettings, { kind, wallet, generation, legs }: Intent) {
  const { address: collector } = await collectorAccount(wallet, generation)
  const paying = kind === 'collect' ? legs.map(({ address }) => address) : []
  return { own: [settings.mint, collector], others: [await treasuryOf(settings), ...paying] }
}

const agentSuspended = () =>
  new Refusal('agent_suspended', 'An operator has suspended an agent whose charges it collects.')
