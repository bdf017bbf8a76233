import { LAST_INSTANT_MS } from '../../../schema/times.ts'
import { type Address, parseAddress } from '../../solana/address.ts'
import { decodeAttestation } from '../../solana/programs/attestation-service.ts'
import type { ChainAccount } from '../../solana/token-state.ts'
import type { AttestationRow } from '../queries.ts'

/** An issuer and schema of the Solana Attestation Service that are trusted for a credentialType. */
export type TrustedProof = {
  /** The issuer's credential account. */
  issuer: Address
  schema: Address
  credentialType: string
}

/**
 * Parses the setting ATTESTATION_ISSUERS: `issuer:schema:type`, comma separated, may be empty. An issuer
 * alone is rejected, because any of its accounts would prove a credential of any kind.
 * @throws TypeError that names the invalid entry
 */
export const parseTrustedProofs = (setting: string): TrustedProof[] =>
  setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [issuer = '', schema = '', ...type] = entry.split(':').map((part) => part.trim())
      const credentialType = type.join(':')
      if (schema === '' || credentialType === '') {
        throw new TypeError(
          `ATTESTATION_ISSUERS: "${entry}" must be issuer:schema:type, where type is the credentialType that the schema proves`,
        )
      }
      try {
        return { issuer: parseAddress(issuer), schema: parseAddress(schema), credentialType }
      } catch (cause) {
        throw new TypeError(`ATTESTATION_ISSUERS: "${entry}": ${(cause as Error).message}`, { cause })
      }
    })

/**
 * Checks that an account proves an attestation. It must be of the Solana Attestation Service, by a trusted
 * issuer and schema for the credentialType, about this wallet (its nonce), and not expired.
 * @returns the expiry, at the latest the end of the year 9999
 */
export function proofOf(
  { wallet, credentialType }: Pick<AttestationRow, 'wallet' | 'credentialType'>,
  account: ChainAccount | undefined,
  { trustedProofs, now }: { trustedProofs: TrustedProof[]; now: Date },
): { expiresAt: Date | undefined } | undefined {
  const attestation = decodeAttestation(account)
  if (!attestation || (attestation.nonce as string) !== wallet) return undefined
  const isTrusted = trustedProofs.some(
    (trusted) =>
      trusted.issuer === attestation.credential &&
      trusted.schema === attestation.schema &&
      trusted.credentialType === credentialType,
  )
  if (!isTrusted) return undefined
  const { expiry } = attestation
  if (expiry === 0n) return { expiresAt: undefined }
  if (expiry * 1000n <= BigInt(now.getTime())) return undefined
  const last = BigInt(LAST_INSTANT_MS)
  return { expiresAt: new Date(Number(expiry * 1000n < last ? expiry * 1000n : last)) }
}

/**
 * The most bytes read of an account, more than an attestation needs. An account may have ten million bytes,
 * and fifty of them would be too much for one answer. Longer data is cut off and proves nothing.
 */
export const MAX_PROOF_BYTES = 8_192
