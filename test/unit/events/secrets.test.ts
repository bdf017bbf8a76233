import { describe, expect, it } from 'vitest'
import { importSecretKeys, makeSecret } from '../../../lib/events/secrets/secrets.ts'
import { generateSecretsKey } from '../../../lib/tools/keys/webhooks.ts'

const first = generateSecretsKey().WEBHOOK_SECRETS_KEY
const both = generateSecretsKey(first).WEBHOOK_SECRETS_KEY
const [, second = ''] = both.split(',')
const endpointId = '01938f51-7a80-7c9d-8e0f-3a4b5c6d7e8f'
const textOf = (secret: Uint8Array) => `whsec_${Buffer.from(secret).toString('base64')}`

describe('a secret', () => {
  it('opens as it was made, and is not to be seen in what is stored', async () => {
    const keys = await importSecretKeys(first)
    const { secret, encrypted } = await makeSecret(keys, endpointId)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(encrypted).toMatch(/^1:/)
    expect(encrypted).not.toContain(secret.slice('whsec_'.length))
    expect(textOf(await keys.open(endpointId, encrypted))).toBe(secret)
    const again = await makeSecret(keys, endpointId)
    expect(again.secret).not.toBe(secret)
  })

  it('opens in the row of its endpoint alone, and only as it was stored', async () => {
    const keys = await importSecretKeys(first)
    const { encrypted } = await makeSecret(keys, endpointId)
    await expect(keys.open(crypto.randomUUID(), encrypted)).rejects.toThrow()
    const last = encrypted.at(-2) === 'A' ? 'B' : 'A'
    await expect(
      keys.open(endpointId, `${encrypted.slice(0, -2)}${last}${encrypted.at(-1)}`),
    ).rejects.toThrow()
  })

  it('of an older key decrypts next to the newer key, and not without its own', async () => {
    const old = await makeSecret(await importSecretKeys(first), endpointId)
    const keys = await importSecretKeys(both)
    expect(textOf(await keys.open(endpointId, old.encrypted))).toBe(old.secret)
    expect((await makeSecret(keys, endpointId)).encrypted).toMatch(/^2:/)
    const newer = await importSecretKeys(second)
    await expect(newer.open(endpointId, old.encrypted)).rejects.toThrow('lacks the key')
  })
})

const KEY = `${'A'.repeat(43)}=`

it.each([
  '',
  KEY,
  `1:${KEY},1:${KEY}`,
  '1:AAAA',
  `1:${'A'.repeat(42)}==`,
  `:${KEY}`,
  `1:${KEY},`,
  `a b:${KEY}`,
])('refuses keys such as %j, without repeating them', async (text) => {
  const error = await importSecretKeys(text).catch((cause: Error) => cause)
  expect(error).toBeInstanceOf(TypeError)
  if (text !== '') expect((error as Error).message).not.toContain(text)
})
