import { setTimeout as sleep } from 'node:timers/promises'
import { base58 } from '@scure/base'
import { decodeTransaction } from '../../solana/transaction.ts'
import type { Cluster } from './cluster.ts'

/**
 * The outcome of a transaction. One that did not land has changed nothing, except that a fee may be paid.
 */
type Confirmation =
  | { kind: 'landed'; signature: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'expired'; reason: string }

const POLL_MS = 1_000
/**
 * The number of polls after which to send a transaction again. Validators drop some under load, and the same
 * transaction lands only once.
 */
const POLLS_PER_SENDING = 5
/** How long the node may fail to answer before the wait ends with an error. */
const OUTAGE_MS = 60_000

/**
 * Sends a signed transaction (Base64) until it is confirmed, refused or expired.
 * @throws Error if the node stops answering: the outcome is unknown then
 */
export async function land(
  cluster: Cluster,
  transaction: string,
  lastValidBlockHeight: bigint,
): Promise<Confirmation> {
  const signature = signatureOf(transaction)
  const first = await cluster.rpc.send(transaction).catch(() => undefined)
  if (first && 'refused' in first && first.refused.kind !== 'already_landed') {
    const { kind, reason, logs } = first.refused
    return kind === 'expired'
      ? { kind, reason }
      : { kind: 'refused', reason: [reason, ...logs.filter(isSaid)].join('; ') }
  }
  let heardMs = Date.now()
  for (let poll = 1; ; poll += 1) {
    try {
      const confirmation = await checkStatus(cluster, signature, lastValidBlockHeight)
      if (confirmation) return confirmation
      heardMs = Date.now()
    } catch (cause) {
      if (Date.now() - heardMs > OUTAGE_MS) {
        throw new Error(
          `${signature} was sent and may still land: the node stopped answering. Run this again`,
          {
            cause,
          },
        )
      }
    }
    await sleep(POLL_MS)
    if (poll % POLLS_PER_SENDING === 0) await cluster.rpc.send(transaction).catch(() => undefined)
  }
}

/**
 * Returns whether a program wrote a log line itself. The runtime's lines name the program and compute units.
 */
const isSaid = (log: string): boolean => log.startsWith('Program log: ')

/** Reads the outcome once; undefined while the transaction may still land. */
async function checkStatus(
  { call, rpc }: Cluster,
  signature: string,
  lastValidBlockHeight: bigint,
): Promise<Confirmation | undefined> {
  // Read the height before the status: a transaction that has not landed by its last block never will.
  const { height } = await rpc.finalizedBlock()
  const { value } = await call('getSignatureStatuses', (connection) =>
    connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
  )
  const [status] = value
  if (status && status.confirmationStatus !== 'processed') {
    return status.err === null
      ? { kind: 'landed', signature }
      : { kind: 'refused', reason: JSON.stringify(status.err) }
  }
  if (height <= lastValidBlockHeight || status) return undefined
  return { kind: 'expired', reason: 'the network did not include the transaction before it expired' }
}

function signatureOf(transaction: string): string {
  const [signature] = decodeTransaction(transaction)?.signatures ?? []
  if (!signature) throw new TypeError('not a signed transaction')
  return base58.encode(signature)
}
