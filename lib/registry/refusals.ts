import { Refusal } from '../refusal.ts'

/** The error for a key without an entry. */
export const notRegistered = () =>
  new Refusal('registration_not_found', 'No agent is registered under this key.')
