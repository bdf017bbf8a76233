import * as v from 'valibot'
import { isWallet } from '../../schema/wallet.ts'
import { openCursor, sealCursor } from '../cursor.ts'

/** The place after an agent in the list's order (registeredAt desc, pubkey desc). Neither ever changes. */
export type Place = { registeredAt: Date; pubkey: string }

/** 9999-12-31T23:59:59.999Z: beyond it a time has no plain ISO text. */
const LAST_MS = 253_402_300_799_999

const Parts = v.strictTuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LAST_MS)),
  v.pipe(v.string(), v.check(isWallet)),
])

export const encodeCursor = ({ registeredAt, pubkey }: Place): string =>
  sealCursor([registeredAt.getTime(), pubkey])

/** @throws Refusal invalid_request when it is none of ours */
export function decodeCursor(cursor: string): Place {
  const [registeredAt, pubkey] = openCursor(Parts, cursor)
  return { registeredAt: new Date(registeredAt), pubkey }
}
