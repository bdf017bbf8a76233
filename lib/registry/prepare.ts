import { base64 } from '@scure/base'
import type { InferOutput } from 'valibot'
import { type RegistrationMessageRequest, RegistrationRequest } from '../../schema/wire/registry/requests.ts'
import { registrationMessage } from './message.ts'
import { skewMs } from './rules.ts'

/** Required fields of a registration. */
const REQUIRED = Object.entries(RegistrationRequest.entries)
  .filter(([, { type }]) => type !== 'optional')
  .map(([field]) => field)

/** Prepares the message to sign for a registration, and lists the fields that it still lacks. */
export function prepareMessage(deps: { now: Date }, input: InferOutput<typeof RegistrationMessageRequest>) {
  const message = registrationMessage(input)
  return {
    message,
    bytes: base64.encode(new TextEncoder().encode(message)),
    serverTime: deps.now,
    skewMs: skewMs(input.timestamp, deps.now),
    missing: REQUIRED.filter((field) => !(field in input)),
  }
}
