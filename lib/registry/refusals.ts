import { Refusal } from '../refusal.ts'

/** Makes the refusal for a key that has no entry, or none any more. */
export const notRegistered = () =>
  new Refusal('registration_not_found', 'No agent is registered under this key.')
