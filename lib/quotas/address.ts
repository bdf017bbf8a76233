import { sha256Hex } from '../keys/bytes.ts'

/** What a client's address may do so often in an hour or a day, whatever wallets it uses. */
type CountedByAddress =
  | 'registry names'
  | 'empty builds'
  | 'agents'
  | 'hires'
  | 'status changes'
  | 'attestations'
  | 'charges'
  | 'webhooks'
  | 'webhook changes'
  | 'expedited requests'
  | 'price changes'

/** By what an address is counted: one hash for each of the things that it is limited in. */
export const addressHash = (counted: CountedByAddress, address: string): Promise<string> =>
  sha256Hex(`${counted} ${address}`)
