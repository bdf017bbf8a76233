import type { InferOutput } from 'valibot'
import type { ErrorCode } from '../../schema/errors.ts'
import { publicKeyBytes, signatureBytes } from '../../schema/wallet.ts'
import type { RegistrationRequest } from '../../schema/wire/registry.ts'
import { ApiError } from '../api-error.ts'
import type { ScheduleJob } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import { verifiesAny } from '../keys/signature.ts'
import { firstProbeAt } from '../liveness/first-probe.ts'
import { addressHash } from '../quotas/address.ts'
import { usedUp } from '../quotas/errors.ts'
import { endOfHour } from '../quotas/rules.ts'
import { signableForms } from '../solana/off-chain.ts'
import { digestOf, registrationMessage } from './message.ts'
import {
  changesAllowed,
  findRegisteredAgent,
  type RegisteredAgentRow,
  upsertRegistration,
} from './queries.ts'
import { isTimely, layersOf, skewMs, TIMESTAMP_TOLERANCE_MS } from './rules.ts'

type Input = InferOutput<typeof RegistrationRequest>

/**
 * Registers the agent of the signing key, or updates its entry. The message covers neither name nor fee, so
 * a signature registers one body. While it is timely and the latest, the same body gets the same answer.
 * Another body with the same signature is rejected.
 * @returns the entry, and whether this body made it (an update otherwise)
 * @param caller.address the client address, against which new keys, new endpoints and changes count
 * @param caller.service the origin of this deployment
 * @throws ApiError registration_refused, signature_used, registration_outdated, with the server's time and
 *   the skew
 * @throws ApiError registration_barred, rate_limited
 */
export async function registerSigned(
  deps: { db: Db; now: Date; schedule: ScheduleJob; keysPerAddress: number },
  input: Input,
  { address, service }: { address: string; service: string },
): Promise<{ agent: RegisteredAgentRow; isNew: boolean }> {
  const clocks = clocksOf(input.timestamp, deps.now)
  if (!isTimely(input.timestamp, deps.now)) throw failed('timestamp', TIMESTAMP_ERROR, clocks)
  if (!(await isSigned(input, service))) throw failed('signature', SIGNATURE_ERROR, clocks)
  const bodyHash = await digestOf(input)
  const agent = await upsertRegistration(
    deps.db,
    { ...input, layers: layersOf(input.capabilities), bodyHash, updatedAt: deps.now },
    {
      addressHash: await addressHash('registry names', address),
      endsAt: endOfHour(deps.now),
      limit: deps.keysPerAddress,
    },
  )
  if (!agent) throw await refusalOf(deps, input)
  if (agent.status === 'removed')
    throw new ApiError(
      'registration_barred',
      'An operator has removed this key’s entry. The key cannot register again.',
    )
  if (agent.bodyHash === bodyHash) {
    if (agent.apiEndpoint !== null && agent.apiProtocol !== null)
      deps.schedule('looks', firstProbeAt(deps.now))
    return { agent, isNew: agent.revision === 1 }
  }
  if (agent.signature === input.signature) throw failed('signature', REUSE_ERROR, clocks, 'signature_used')
  const error = `must be later than the stored registration’s, ${agent.timestamp}`
  throw failed('timestamp', error, clocks, 'registration_outdated')
}

/** The error of an address that has used up its hour of new keys and endpoints, or of changes of keys. */
async function refusalOf(
  { db, now, keysPerAddress }: { db: Db; now: Date; keysPerAddress: number },
  { pubkey, apiEndpoint }: Input,
): Promise<ApiError> {
  const entry = await findRegisteredAgent(db, pubkey)
  const isChange = entry && (apiEndpoint === undefined || apiEndpoint === entry.apiEndpoint)
  return isChange
    ? usedUp('changes of keys from one address', {
        ...{ policy: 'registry-changes', limit: changesAllowed(keysPerAddress) },
        ...{ per: 'hour', now },
      })
    : usedUp('new keys and new endpoints from one address', {
        policy: 'registry-keys',
        limit: keysPerAddress,
        per: 'hour',
        now,
      })
}

const TIMESTAMP_ERROR = `must be within ${TIMESTAMP_TOLERANCE_MS / 1000} seconds of the server's time`
const REUSE_ERROR = 'was used for another body: sign again with a later timestamp'
const SIGNATURE_ERROR =
  'is not this pubkey’s Base58 Ed25519 signature of the registration message with this timestamp and manifest (see POST /registry/message)'

/** Checks that the key signed the message, with or without the name of this deployment. */
async function isSigned(input: Input, service: string): Promise<boolean> {
  const key = publicKeyBytes(input.pubkey)
  const signature = signatureBytes(input.signature)
  if (!key || !signature) return false
  const texts = [registrationMessage(input, service), registrationMessage(input)]
  return verifiesAny(
    key,
    signature,
    texts.flatMap((text) => [...signableForms(text, key)]),
  )
}

/** Describes the server's time and the skew of the timestamp. */
function clocksOf(timestamp: number, now: Date): string {
  const skew = skewMs(timestamp, now)
  const side = skew < 0 ? 'behind' : 'ahead of'
  return `Server time: ${now.toISOString()} (${now.getTime()}); the timestamp is ${Math.abs(skew)} ms ${side} it.`
}

const failed = (
  check: 'timestamp' | 'signature',
  error: string,
  clocks: string,
  code: ErrorCode = 'registration_refused',
) =>
  new ApiError(code, `The ${check} check failed: ${check} ${error}. ${clocks}`, {
    errors: [{ path: check, message: error }],
  })
