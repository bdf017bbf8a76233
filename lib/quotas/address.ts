import { sha256Hex } from '../keys/bytes.ts'

/** What the transactions that a client's address has built without tokens are counted by. */
export const emptyBuildHash = (address: string): Promise<string> => sha256Hex(`empty builds ${address}`)
