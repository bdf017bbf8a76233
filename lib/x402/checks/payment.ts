import { hex } from '@scure/base'
import { verifiesAny } from '../../keys/signature.ts'
import { type Address, addressBytes } from '../../solana/address.ts'
import { decodeMessage } from '../../solana/decode-message.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { decodeTransaction } from '../../solana/transaction.ts'
import { PAYMENT_FAULTS, type PaymentFault } from './faults.ts'
import { transferOf } from './layout.ts'
import { askedOf, type PaymentTerms, type Price } from './requirements.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A payment that the fee payer may sign once nothing else speaks against it. */
export type Payment = {
  /** What is signed, and its SHA-256 in hexadecimal, which is the payment's identity. */
  message: Bytes
  messageHash: string
  /** The transaction as it was given, Base64: what the fee payer's slot holds does not matter. */
  unsigned: string
  payer: Address
  payerSignature: Bytes
  source: Address
  destination: Address
  price: Price
  /** What it costs the fee payer, in lamports of SOL. */
  networkFee: bigint
  /** Base58. How long it is valid is the network's to say. */
  blockhash: string
}

/** The answer to a payment that is refused. */
export type Refused = {
  ok: false
  fault: PaymentFault
  reason: (typeof PAYMENT_FAULTS)[PaymentFault][0]
  message: string
}

type Verdict = { ok: true; payment: Payment } | Refused

/**
 * Checks a payment as far as that needs neither database nor network: the requirements are the agent's terms,
 * the transaction pays them and does nothing else, its payer has signed it.
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
  if (!decoded.ok) return refused(decoded.fault === 'lookup_tables' ? 'lookup_tables' : 'undecodable')
  const destination = await associatedTokenAddress(terms.owner, asked.price.asset)
  const transfer = transferOf(decoded.message, asked, terms, destination)
  if (typeof transfer === 'string') return refused(transfer)
  const { payer, source, fee } = transfer
  const [, payerSignature] = signatures
  if (!payerSignature || !(await verifiesAny(addressBytes(payer), payerSignature, [message])))
    return refused('signature_invalid')
  const { blockhash } = decoded.message
  const messageHash = hex.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', message)))
  const { price } = asked
  return {
    ok: true,
    payment: {
      message,
      messageHash,
      unsigned: asked.transaction,
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

export function refused(fault: PaymentFault): Refused {
  const [reason, message] = PAYMENT_FAULTS[fault]
  return { ok: false, fault, reason, message }
}
