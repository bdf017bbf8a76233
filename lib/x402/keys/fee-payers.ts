import { base58 } from '@scure/base'
import { importSigner, type Signer } from '../../keys/signer.ts'
import { memoized } from '../../runtime/cache.ts'

/** The keys that pay network fees: the newest is advertised, the others still sign what names them. */
export type FeePayers = { newest: Signer; all: Signer[] }

/**
 * Imports the keys of the setting X402_FEE_PAYER_KEY, once per isolate: Base58 of 64 bytes each, separated by
 * commas, the newest last.
 * @throws TypeError that names the setting, never its value
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
 * Chooses the key that a payment's requirements name: resource servers advertise for days what they were told
 * once. Requirements that name none of ours are refused against the newest.
 */
export function feePayerFor({ newest, all }: FeePayers, { extra }: Record<string, unknown>): Signer {
  const named = typeof extra === 'object' && extra !== null && Reflect.get(extra, 'feePayer')
  return all.find(({ address }) => address === named) ?? newest
}
