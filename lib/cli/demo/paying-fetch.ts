import { createKeyPairSignerFromBytes } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'

/** Makes a fetch that pays the price of a request in CRED, at most one CRED each. */
export async function payingFetch(secretKey: Uint8Array, mint: string, rpcUrl?: string) {
  const scheme = new ExactSvmScheme(await createKeyPairSignerFromBytes(secretKey), rpcUrl ? { rpcUrl } : {})
  const network = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' // devnet; npm run dev says the same
  const cred = { network, asset: mint, maxAmountPerPayment: '1000000000' } as const
  // By default the client only pays in stablecoins.
  const client = new x402Client().register(network, scheme).setSpendControls({ allowedAssets: [cred] })
  return wrapFetchWithPayment(fetch, client)
}
