import { base64urlnopad } from '@scure/base'
import type { UnconfirmedReason } from '../../../schema/values.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import type { EndpointVerification } from '../../../schema/wire/endpoint-verification.ts'
import { sha256Hex, utf8 } from '../../keys/bytes.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'
import type { Result } from '../rules.ts'
import { post } from './attempt.ts'
import type { DeliverDeps } from './deps.ts'

const CHALLENGE_BYTES = 32

/** The longest answer to read: a proof has 64 bytes, and may have quotes and white space around it. */
const ANSWER_BYTES = 128

/** Makes a challenge for a destination that has none yet. */
export const newChallenge = (): string =>
  base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))

/**
 * Requests a proof that a receiver wants this wallet's events. The request is signed like an event. It
 * contains the wallet, since the service's key signs for every wallet.
 * @returns the answer, and the error in its body unless the body is the SHA-256 of the challenge
 * @throws if the signing keys or the secrets are unavailable; nothing is sent then
 */
export async function askForProof(
  deps: DeliverDeps,
  endpoint: Endpoint,
  challenge: string,
): Promise<Result & { unconfirmedReason: UnconfirmedReason | undefined }> {
  const proof = await sha256Hex(challenge)
  const request: Wire<typeof EndpointVerification> = {
    type: 'endpoint.verification',
    timestamp: deps.clock().toISOString(),
    data: { challenge, wallet: endpoint.wallet },
  }
  const body = utf8(JSON.stringify(request))
  const message = { id: crypto.randomUUID(), body, answerLength: ANSWER_BYTES }
  const { text, ...result } = await post(deps, endpoint, message)
  return { ...result, unconfirmedReason: unconfirmedReasonOf(text, { challenge, proof }) }
}

/**
 * Returns why an answer is not the proof, or undefined for the proof. Frameworks write a text bare, with a
 * line break at its end, or as JSON.
 */
export function unconfirmedReasonOf(
  text: string | undefined,
  { challenge, proof }: { challenge: string; proof: string },
): UnconfirmedReason | undefined {
  const answer = text?.trim().replace(/^"(.*)"$/, '$1')
  if (answer === proof) return undefined
  if (answer === challenge) return 'challenge_returned'
  return answer === '' ? 'empty_body' : 'other_body'
}
