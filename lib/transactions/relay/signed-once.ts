import { base58, base64 } from '@scure/base'
import { ApiError } from '../../api-error.ts'
import { equalBytes } from '../../keys/bytes.ts'
import { decodeTransaction } from '../../solana/transaction.ts'
import { checkWalletFirst } from '../cosigning/check.ts'
import { COSIGN_ERRORS } from '../cosigning/errors.ts'
import type { Parties } from '../cosigning/match.ts'

/* The service signs one message of a built transaction, ever, and records the message before it signs. */

type Bytes = Uint8Array<ArrayBuffer>

/** A message that may be signed now or was recorded before, and its owner's signature. */
export type Signed = { message: Bytes; ownerSignature: Bytes }

/**
 * Checks that the transaction a wallet returned does what the built one does and nothing else.
 * @param built as it was recorded, Base64, its signatures empty
 * @param submitted the transaction that the wallet returned, Base64
 * @param parties whose accounts its guards may not name
 * @throws ApiError transaction_not_ours
 */
export async function requireUnaltered(
  built: string,
  submitted: string,
  parties: Parties,
): Promise<Signed & { blockhash: string }> {
  const check = await checkWalletFirst(built, submitted, parties)
  if (!check.ok) throw new ApiError('transaction_not_ours', COSIGN_ERRORS[check.error])
  return check
}

/** A transaction's status and one message, as recorded. */
export type RecordedMessage = {
  status: string
  cosignedMessage: string | null
  networkSignature: string | null
}

/**
 * Returns the recorded message if `submitted` has the same one.
 * @throws ApiError already_cosigned for another message, transaction_expired if it can't land any more
 */
export function signedBefore(
  { status, cosignedMessage, networkSignature }: RecordedMessage,
  submitted: string,
): Signed {
  const message = base64.decode(cosignedMessage ?? '') as Bytes
  const submittedMessage = decodeTransaction(submitted)?.message
  if (!submittedMessage || !equalBytes(submittedMessage, message)) throw alreadyCosigned()
  if (status === 'expired' || status === 'failed') throw expired()
  return { message, ownerSignature: base58.decode(networkSignature ?? '') as Bytes }
}

/** Makes the error for a second message. */
export const alreadyCosigned = () =>
  new ApiError(
    'already_cosigned',
    'The service has already signed a different message of this transaction, and signs only one. Read its status, and request a new transaction after it has expired.',
  )

/** Makes the error for a transaction that was never built for this wallet, or was replaced unsigned. */
export const noSuchTransaction = () =>
  new ApiError(
    'transaction_not_found',
    'No transaction of yours has this id. A newer request may have replaced it; otherwise build it again.',
  )

/** Makes the error for a transaction that can't land any more or is past its deadline. */
export const expired = () =>
  new ApiError('transaction_expired', 'The transaction has expired. Request a new one.')
