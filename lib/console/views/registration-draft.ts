import {
  AgentCredError,
  type Client,
  type RegistrationMessage,
  type RegistrationMessageRequest,
} from '../../client/index.ts'

/** What a registration says, and the message that its key must sign. */
export type Draft = { body: RegistrationMessageRequest; message: RegistrationMessage }

type Choices = Required<
  Pick<RegistrationMessageRequest, 'pubkey' | 'agentType' | 'feeModel' | 'capabilities'>
> & {
  apiProtocol: NonNullable<RegistrationMessageRequest['apiProtocol']> | ''
}

/**
 * A body from a form's texts and choices, without the time.
 * @throws AgentCredError that names the field whose text is no JSON
 */
export function draftOf(
  texts: Partial<Record<string, string>>,
  { apiProtocol, ...choices }: Choices,
): Omit<RegistrationMessageRequest, 'timestamp'> {
  const { feeAmount, serviceManifest, ...rest } = texts
  return {
    ...rest,
    ...choices,
    ...(apiProtocol && { apiProtocol }),
    ...(feeAmount && choices.feeModel !== 'free' && { feeAmount: Number(feeAmount) }),
    ...(serviceManifest && { serviceManifest: parsed(serviceManifest) }),
  }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AgentCredError('invalid_request', 'The service manifest is no JSON.', {
      errors: [{ path: 'serviceManifest', message: 'must be JSON' }],
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
