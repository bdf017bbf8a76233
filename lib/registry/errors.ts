import { ApiError } from '../api-error.ts'

/** The error for a key without an entry. */
export const notRegistered = () =>
  new ApiError('registration_not_found', 'No agent is registered under this key.')
