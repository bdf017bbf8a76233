import { sha256Hex } from '../keys/bytes.ts'

/** The actions that are limited per client address, for all its wallets together, except as noted. */
type CountedAction =
  | 'registry names'
  | 'empty builds'
  | 'agents'
  | 'hires'
  | 'consents'
  | 'status changes'
  | 'attestations'
  | 'charges'
  | 'jobs'
  | 'webhooks'
  | 'webhook changes'
  | 'expedited requests'
  | 'price changes'
  // By owner, not by address: a check costs a payment or bought credit.
  | 'route checks'

/** Hashes an action and a client address, so that each action has its own counter. */
export const addressHash = (counted: CountedAction, address: string): Promise<string> =>
  sha256Hex(`${counted} ${address}`)
