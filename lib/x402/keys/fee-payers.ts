import { base58 } from '@scure/base'
import { importSigner, type Signer } from '../../keys/signer.ts'
import { memoized } from '../../runtime/cache.ts'

/**
 * The keys that pay network fees: the newest is advertised; the others still sign payments that name them.
 */
export type FeePayers = { newest: Signer; all: Signer[] }

/**
 * Parses the setting X402_FEE_PAYER_KEY, once per isolate: Base58 of 64 bytes for each key, separated by
 * commas, newest last.
 * @throws TypeError with the name of the setting, never its value
 */
export const importFeePayers: (setting: string) => Promise<FeePayers> = memoized(1, async (setting) => {
  const all = await Promise.all(setting.split(',').map(importKey))
  const newest = all.at(-1)
  if (!newest) throw unreadable()
  return { newest, all }
})

async function importKey(text: string): Promise<Signer> {
  try {
    return await importSigner(base58.decode(text.trim()))
  } catch {
    throw unreadable()
  }
}

const unreadable = () =>
  new TypeError('X402_FEE_PAYER_KEY must be secret keys, Base58 of 64 bytes each, separated by commas')

/**
 * Returns the key that a payment's requirements name, since resource servers advertise a key for days. For an
 * unknown key it returns the newest, against which the requirements are rejected.
 */
export function feePayerFor({ newest, all }: FeePayers, { extra }: Record<string, unknown>): Signer {
  const named = typeof extra === 'object' && extra !== null && Reflect.get(extra, 'feePayer')
  return all.find(({ address }) => address === named) ?? newest
}
