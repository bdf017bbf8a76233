import { base64 } from '@scure/base'
import type { InferInput } from 'valibot'
import { type RegistrationMessageRequest, RegistrationRequest } from '../../schema/wire/registry.ts'
import { registrationMessage } from './message.ts'
import { skewMs } from './rules.ts'

/** Required fields of a registration. */
const REQUIRED = Object.entries(RegistrationRequest.entries)
  .filter(([, { type }]) => type !== 'optional')
  .map(([field]) => field)

/**
 * Makes the messages to sign for a registration, and lists its missing fields.
 * @param service the origin of this deployment
 */
export function prepareMessage(
  deps: { now: Date },
  input: InferInput<typeof RegistrationMessageRequest>,
  service: string,
) {
  return {
    named: written(registrationMessage(input, service)),
    plain: written(registrationMessage(input)),
    serverTime: deps.now,
    skewMs: skewMs(input.timestamp, deps.now),
    missing: REQUIRED.filter((field) => !(field in input)),
  }
}

const written = (text: string) => ({ text, bytes: base64.encode(new TextEncoder().encode(text)) })
