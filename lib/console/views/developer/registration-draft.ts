import {
  AgentCredError,
  type Client,
  type RegistrationMessage,
  type RegistrationMessageRequest,
} from '../../../client/index.ts'
import { amountOf, wholeUnit } from '../../kit/amounts.ts'
import { filled } from '../../kit/values.ts'
import type { Protocol } from '../agents/fields.ts'

/** What a registration says, and the message that its key must sign. */
export type Draft = { body: RegistrationMessageRequest; message: RegistrationMessage }

type Said = Required<RegistrationMessageRequest>

/** An empty registration. Fields that are '' are left out of the body. */
export const EMPTY = {
  pubkey: '',
  name: '',
  agentType: 'data' as Said['agentType'],
  capabilities: [] as Said['capabilities'],
  feeModel: 'free' as Said['feeModel'],
  feeAmount: '',
  description: '',
  apiEndpoint: '',
  apiProtocol: '' as Protocol,
  website: '',
  logoUrl: '',
  contactEmail: '',
  serviceManifest: '',
}

/**
 * A body from a form's draft, without the time.
 * @throws AgentCredError that names the field whose text is no JSON
 */
export function bodyOf({
  pubkey,
  feeAmount,
  serviceManifest,
  ...rest
}: typeof EMPTY): Omit<RegistrationMessageRequest, 'timestamp'> {
  const fee = rest.feeModel === 'free' ? undefined : amountOf(feeAmount, wholeUnit('units'))
  return {
    ...filled(rest),
    pubkey,
    ...(fee !== undefined && { feeAmount: Number(fee) }),
    ...(serviceManifest && { serviceManifest: parsed(serviceManifest) }),
  }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AgentCredError('invalid_request', 'The service manifest is not valid JSON.', {
      errors: [{ path: 'serviceManifest', message: 'must be valid JSON' }],
      cause,
    })
  }
}

/** Registrations are refused whose time is five minutes off; a clock that is a minute off is set right. */
const TOLERATED_SKEW_MS = 60_000

/** Has the service write the message, at its own time if this machine's clock is wrong. */
export async function messageFor(
  client: Client,
  draft: Omit<RegistrationMessageRequest, 'timestamp'>,
): Promise<Draft> {
  const write = async (timestamp: number): Promise<Draft> => {
    const body = { ...draft, timestamp }
    return { body, message: await client.call('POST /registry/message', { body }) }
  }
  const written = await write(Date.now())
  const { skewMs } = written.message
  return Math.abs(skewMs) > TOLERATED_SKEW_MS ? write(Date.now() - skewMs) : written
}
