import { createKeyPairSignerFromBytes } from '@solana/kit'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'

/**
 * Makes a fetch that pays the price of a request in CRED, at most one CRED each.
 * @param purchase an id, such as of generatePaymentId(): the agent is paid once for it, however often it
 *   is asked
 */
export async function payingFetch(secretKey: Uint8Array, mint: string, rpcUrl?: string, purchase?: string) {
  const scheme = new ExactSvmScheme(await createKeyPairSignerFromBytes(secretKey), rpcUrl ? { rpcUrl } : {})
  const network = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' // devnet; npm run dev says the same
  const cred = { network, asset: mint, maxAmountPerPayment: '1000000000' } as const
  // By default the client only pays in stablecoins.
  const client = new x402Client().register(network, scheme).setSpendControls({ allowedAssets: [cred] })
  if (purchase)
    client.registerExtension({
      key: PAYMENT_IDENTIFIER,
      enrichPaymentPayload: async (payload) => {
        const extensions = {
          [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(),
          ...payload.extensions,
        }
        return { ...payload, extensions: appendPaymentIdentifierToExtensions(extensions, purchase) }
      },
    })
  return wrapFetchWithPayment(fetch, client)
}
