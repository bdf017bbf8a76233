import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Someone who signs webhooks as Standard Webhooks 1.0.0 says, independent of the service. */
type WebhookSigner = {
  /** `whpk_` and Base64. */
  publicKey: string
  privateKey: KeyObject
}

export function createWebhookSigner(): WebhookSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey: `whpk_${point.toString('base64')}`, privateKey }
}

/** A signed webhook: the headers by their names, and the body. */
export type SignedWebhook = { headers: Record<string, string>; body: string }

/** A webhook signed by each of the signers, at a time in Unix milliseconds. */
export function signWebhook(
  signers: WebhookSigner[],
  { id, body, at }: { id: string; body: string; at: number },
): SignedWebhook {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = signers.map(({ privateKey }) =>
    sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64'),
  )
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.map((signature) => `v1a,${signature}`).join(' '),
    },
    body,
  }
}
