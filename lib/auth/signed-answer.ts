import { base64 } from '@scure/base'
import { publicKeyBytes, signatureBytes } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import { equalBytes, utf8 } from '../keys/bytes.ts'
import { verifiesAny } from '../keys/signature.ts'
import { signableForms, signedText } from '../solana/off-chain.ts'
import { CHALLENGE_LIFETIME_MS } from './rules.ts'

/** A wallet's answer to a challenge. `signedMessage`: the bytes that it signed, in Base64. */
export type SignedAnswer = { publicKey: string; signature: string; signedMessage?: string | undefined }

/**
 * Reads an answer before its challenge is looked up, so that a malformed one costs nothing.
 * @returns a function that checks that the wallet signed a text
 * @throws ApiError login_refused if nothing in it could verify
 */
export function readAnswer(answer: SignedAnswer): (text: string) => Promise<void> {
  const key = publicKeyBytes(answer.publicKey)
  const signature = signatureBytes(answer.signature)
  if (!key || !signature) throw refused()
  const signed = answer.signedMessage === undefined ? undefined : readSigned(answer.signedMessage, key)
  return async (text) => {
    if (signed && !equalBytes(signed.text, utf8(text))) throw refused()
    const forms = signed ? [signed.message] : signableForms(text, key)
    if (!(await verifiesAny(key, signature, forms))) throw refused()
  }
}

/**
 * Reads the bytes that the wallet signed, and their text.
 * @param signedMessage Base64
 * @throws ApiError login_refused if they are not a message of this signer
 */
function readSigned(signedMessage: string, signer: Uint8Array) {
  const message = decodeBase64(signedMessage)
  const text = message && signedText(message, signer)
  if (!text) throw refused()
  return { message, text }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64.decode(text))
  } catch {
    return undefined
  }
}

/** Every failed check gets the same text. */
export const refused = (): ApiError =>
  new ApiError(
    'login_refused',
    `The signature does not answer an open challenge. Request a new challenge, sign its exact text, and send it once, within ${CHALLENGE_LIFETIME_MS / 60_000} minutes.`,
  )
