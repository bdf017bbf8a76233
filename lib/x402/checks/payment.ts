import { hex } from '@scure/base'
import type { RequestRefusalReason } from '../../../schema/values.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import { verifiesAny } from '../../keys/signature.ts'
import { type Address, addressBytes } from '../../solana/address.ts'
import { decodeMessage } from '../../solana/decode-message.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { decodeTransaction } from '../../solana/transaction.ts'
import { PAYMENT_ERRORS, type PaymentError, type RejectionRow } from './errors.ts'
import { transferOf } from './layout.ts'
import { type Asked, askedOf, type PaymentTerms } from './requirements.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A payment with a valid form, signed by its payer. The fee payer's signature leaves the Worker only after
 * `preVerify` has asked the network, and the ledger in Postgres has recorded the payment.
 */
export type Payment = {
  /** The signed message, and its SHA-256 in hexadecimal, which identifies the payment. */
  message: Bytes
  messageHash: string
  /** The submitted transaction, Base64. The content of the fee payer's signature slot does not matter. */
  transaction: string
  payer: Address
  payerSignature: Bytes
  source: Address
  destination: Address
  price: Asked['price']
  /** SHA-256 of the client's id of the purchase, in hexadecimal. */
  identifierHash: string | undefined
  /** The network fee, which the fee payer pays, in lamports of SOL. */
  networkFee: bigint
  /** Base58. The network decides how long it is valid. */
  blockhash: string
}

/** The answer to a rejected payment. */
export type Refused = {
  ok: false
  error: PaymentError
  reason: string
  message: string
  owners?: RequestRefusalReason | undefined
}

type Verdict = { ok: true; payment: Payment } | Refused

/**
 * Checks all that needs neither database nor network: that the requirements are the agent's terms, that the
 * transaction pays them and does nothing else, and that its payer has signed it.
 * @param request `paymentPayload` and `paymentRequirements` as the resource server sent them
 */
export async function checkPayment(
  request: { paymentPayload: unknown; paymentRequirements: unknown },
  terms: PaymentTerms,
): Promise<Verdict> {
  const asked = askedOf(request.paymentPayload, request.paymentRequirements, terms)
  if (typeof asked === 'string') return refused(asked)
  const transaction = decodeTransaction(asked.transaction)
  if (!transaction) return refused('undecodable')
  const { message, signatures } = transaction
  const decoded = decodeMessage(message)
  if (!decoded.ok) return refused(decoded.error === 'lookup_tables' ? 'lookup_tables' : 'undecodable')
  const destination = await associatedTokenAddress(terms.owner, asked.price.asset)
  const transfer = transferOf(decoded.message, asked, terms, destination)
  if (typeof transfer === 'string') return refused(transfer)
  const { payer, source, fee } = transfer
  // transferOf requires two signers: the fee payer has slot 0, the payer slot 1.
  const [, payerSignature] = signatures
  if (!payerSignature || !(await verifiesAny(addressBytes(payer), payerSignature, [message])))
    return refused('signature_invalid')
  const { blockhash } = decoded.message
  const messageHash = hex.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', message)))
  const { price, identifier } = asked
  return {
    ok: true,
    payment: {
      message,
      messageHash,
      identifierHash: identifier && (await sha256Hex(identifier)),
      transaction: asked.transaction,
      payer,
      payerSignature,
      source,
      destination,
      price,
      networkFee: fee,
      blockhash,
    },
  }
}

export function refused(error: PaymentError): Refused {
  const [reason, message, owners]: RejectionRow = PAYMENT_ERRORS[error]
  return { ok: false, error, reason, message, owners }
}
