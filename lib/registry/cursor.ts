import * as v from 'valibot'
import { isWallet, type Wallet } from '../../schema/wallet.ts'
import { openCursor, sealCursor } from '../cursor.ts'

/** The last agent of a page, in the list's order: registeredAt desc, pubkey desc. Neither ever changes. */
export type RegistryCursor = { registeredAt: Date; pubkey: Wallet }

/** 9999-12-31T23:59:59.999Z: beyond it a time has no plain ISO text. */
const LAST_MS = 253_402_300_799_999

const Parts = v.strictTuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LAST_MS)),
  v.pipe(v.string(), v.guard(isWallet)),
])

export const encodeCursor = ({ registeredAt, pubkey }: RegistryCursor): string =>
  sealCursor([registeredAt.getTime(), pubkey])

/** @throws Refusal invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): RegistryCursor {
  const [registeredAt, pubkey] = openCursor(Parts, cursor)
  return { registeredAt: new Date(registeredAt), pubkey }
}
