import { base58 } from '@scure/base'
import { importJWK } from 'jose'
import { expect, it } from 'vitest'
import { walletFromSecretKey } from '../../../lib/cli/wallet.ts'
import { generateSessionKeys } from '../../../lib/tools/keys/jwks.ts'
import { generateWebhookKeys } from '../../../lib/tools/keys/webhooks.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

/** The public half of a webhook key's secret, by Node's own Ed25519. */
function webhookPublicKey(secret: string): string {
  expect(secret).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/)
  const { publicKey } = walletFromSecretKey(Buffer.from(secret.slice('whsk_'.length), 'base64'))
  return `whpk_${Buffer.from(base58.decode(publicKey)).toString('base64')}`
}

it('makes a signing key and the public set, and keeps the previous key in a rotation', async () => {
  const first = await generateSessionKeys(NOW)
  const signingKey = JSON.parse(first.SESSION_SIGNING_KEY)
  const { keys } = JSON.parse(first.SESSION_JWKS)
  expect(keys).toHaveLength(1)
  expect(keys[0]).not.toHaveProperty('d')
  expect(signingKey.kid).toBe(keys[0].kid)
  await importJWK(signingKey, 'EdDSA')
  const second = await generateSessionKeys(NOW, first.SESSION_JWKS)
  const kids = JSON.parse(second.SESSION_JWKS).keys.map(({ kid }: { kid: string }) => kid)
  expect(kids).toHaveLength(2)
  expect(kids[1]).toBe(signingKey.kid)
})

it('makes webhook keys, public ones newest first, and keeps the newest in a rotation', () => {
  let previous: string | undefined
  for (const count of [1, 2, 2]) {
    const made = generateWebhookKeys(previous)
    const secret = made.WEBHOOK_SIGNING_KEYS.split(',')
    expect(new Set(secret).size).toBe(count)
    if (previous !== undefined) expect(secret[0]).toBe(previous.split(',').at(-1))
    expect(made.WEBHOOK_PUBLIC_KEYS.split(',')).toEqual(secret.map(webhookPublicKey).reverse())
    previous = made.WEBHOOK_SIGNING_KEYS
  }
})

it.each(['garbage', 'whsk_AAAA', `whpk_${'A'.repeat(43)}=`, `whsk_${'A'.repeat(86)}==,`])(
  'refuses a rotation of webhook keys from %s, without repeating it',
  (previous) => {
    const refusal = expect.objectContaining({ message: expect.not.stringContaining(previous) })
    expect(() => generateWebhookKeys(previous)).toThrow(/WEBHOOK_SIGNING_KEYS/)
    expect(() => generateWebhookKeys(previous)).toThrow(refusal)
  },
)
