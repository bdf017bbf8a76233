import * as v from 'valibot'
import { LAST_INSTANT_MS } from '../../schema/times.ts'
import { isWallet, type Wallet } from '../../schema/wallet.ts'
import { openCursor, sealCursor } from '../cursor.ts'

/** The last agent of a page, in the list's order: registeredAt desc, pubkey desc. Neither ever changes. */
export type RegistryCursor = { registeredAt: Date; pubkey: Wallet }

const Parts = v.strictTuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LAST_INSTANT_MS)),
  v.pipe(v.string(), v.guard(isWallet)),
])

export const encodeCursor = ({ registeredAt, pubkey }: RegistryCursor): string =>
  sealCursor([registeredAt.getTime(), pubkey])

/** @throws Refusal invalid_request for a cursor that this list did not issue */
export function decodeCursor(cursor: string): RegistryCursor {
  const [registeredAt, pubkey] = openCursor(Parts, cursor)
  return { registeredAt: new Date(registeredAt), pubkey }
}
