import { base64urlnopad } from '@scure/base'
import type { Wire } from '../../../schema/wire/common.ts'
import type { EndpointVerification } from '../../../schema/wire/endpoint-verification.ts'
import { sha256Hex, utf8 } from '../../keys/bytes.ts'
import type { Hook } from '../hook-queries.ts'
import { isSuccess, type Result } from '../rules.ts'
import { post } from './attempt.ts'
import type { DeliverDeps } from './deps.ts'

const CHALLENGE_BYTES = 32

/** Makes a challenge for a target that has none yet. */
export const newChallenge = (): string =>
  base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))

/**
 * Asks a receiver to prove that it wants this wallet's events, by a request that is signed like an event
 * and is none. The wallet stands in it, since the service's key signs for every wallet.
 * @returns its answer; `isProof`: a 2xx whose body is the challenge's SHA-256 in lowercase hexadecimal
 * @throws what the keys are at fault for; nothing is sent then
 */
export async function askForProof(
  deps: DeliverDeps,
  hook: Hook,
  challenge: string,
): Promise<Result & { isProof: boolean }> {
  const proof = await sha256Hex(challenge)
  const request: Wire<typeof EndpointVerification> = {
    type: 'endpoint.verification',
    timestamp: deps.clock().toISOString(),
    data: { challenge, wallet: hook.wallet },
  }
  const body = utf8(JSON.stringify(request))
  const message = { id: crypto.randomUUID(), body, answerLength: proof.length }
  const { text, ...result } = await post(deps, hook, message)
  return { ...result, isProof: isSuccess(result) && text === proof }
}
