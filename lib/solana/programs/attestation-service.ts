import { type Address, addressOf } from '../address.ts'
import type { ChainAccount } from '../token-state.ts'

/** The Solana Attestation Service, the same on mainnet and devnet. */
const ATTESTATION_PROGRAM = '22zoJMtdu4tQc2PzL74ZUT7FrwgB1Udec8DdW4yw4BdG' as Address

type ChainAttestation = {
  /** The subject, if the issuer uses the subject's wallet as the nonce. */
  nonce: Address
  /** The issuer's credential account. */
  credential: Address
  schema: Address
  signer: Address
  /** Unix seconds; 0 is never. */
  expiry: bigint
}

/** First byte of an attestation's account; 0 and 1 are credentials and schemas. */
const ATTESTATION_DISCRIMINATOR = 2
const ADDRESS_BYTES = 32
const DATA_LENGTH_OFFSET = 1 + 3 * ADDRESS_BYTES
/** After the data: signer, expiry, token account. */
const TAIL_BYTES = ADDRESS_BYTES + 8 + ADDRESS_BYTES

/**
 * Reads an attestation of the Solana Attestation Service (solana-foundation/solana-attestation-service,
 * program state `Attestation`). Anything else is undefined: an account of another program, kind or
 * length.
 */
export function decodeAttestation(account: ChainAccount | undefined): ChainAttestation | undefined {
  if (account?.owner !== ATTESTATION_PROGRAM) return undefined
  const { data } = account
  if (data[0] !== ATTESTATION_DISCRIMINATOR || data.length < DATA_LENGTH_OFFSET + 4 + TAIL_BYTES)
    return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const tail = DATA_LENGTH_OFFSET + 4 + view.getUint32(DATA_LENGTH_OFFSET, true)
  if (data.length !== tail + TAIL_BYTES) return undefined
  const addressAt = (offset: number) => addressOf(data.subarray(offset, offset + ADDRESS_BYTES))
  return {
    nonce: addressAt(1),
    credential: addressAt(1 + ADDRESS_BYTES),
    schema: addressAt(1 + 2 * ADDRESS_BYTES),
    signer: addressAt(tail),
    expiry: view.getBigInt64(tail + ADDRESS_BYTES, true),
  }
}
