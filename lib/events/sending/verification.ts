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

/** The proof has 64, and may stand in quotes and white space. */
const ANSWER_BYTES = 128

/** Makes a challenge for a destination that has none yet. */
export const newChallenge = (): string =>
  base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))

/**
 * Asks a receiver to prove that it wants this wallet's events, by a request that is signed like an event
 * and is none. The wallet stands in it, since the service's key signs for every wallet.
 * @returns its answer, and what is wrong with its body, if it is not the challenge's SHA-256
 * @throws what the keys are at fault for; nothing is sent then
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
  return { ...result, unconfirmedReason: faultOf(text, { challenge, proof }) }
}

/** Reads an answer as frameworks write a text: bare, with a line break behind it, or as JSON. */
export function faultOf(
  text: string | undefined,
  { challenge, proof }: { challenge: string; proof: string },
): UnconfirmedReason | undefined {
  const answer = text?.trim().replace(/^"(.*)"$/, '$1')
  if (answer === proof) return undefined
  if (answer === challenge) return 'challenge_returned'
  return answer === '' ? 'empty_body' : 'other_body'
}
