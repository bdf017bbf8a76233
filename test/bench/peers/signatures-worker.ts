import { verifyAsync } from '@noble/ed25519'
import { verifiesAny } from '../../../lib/keys/signature.ts'

const message = new Uint8Array(new TextEncoder().encode('A login challenge has 300 characters. '.repeat(8)))
let signed: Promise<{ key: Uint8Array<ArrayBuffer>; signature: Uint8Array<ArrayBuffer> }> | undefined

/** Verifies a signature `count` times: `/ours` by `verifiesAny`, `/noble` by @noble/ed25519 alone. */
export default {
  async fetch(request: Request): Promise<Response> {
    signed ??= sign()
    const { key, signature } = await signed
    const { pathname, searchParams } = new URL(request.url)
    const isProduct = pathname === '/ours'
    const count = Number(searchParams.get('count'))
    let good = 0
    for (let i = 0; i < count; i++) {
      const isGood = isProduct
        ? await verifiesAny(key, signature, [message])
        : await verifyAsync(signature, message, key, { zip215: false })
      if (isGood) good++
    }
    return new Response(String(good), { status: good === count ? 200 : 500 })
  },
} satisfies ExportedHandler

async function sign() {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  const key = new Uint8Array((await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer)
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message))
  return { key, signature }
}
