import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { requirePayments } from '../../../lib/cli/deploy/payments.ts'
import { generatePaymentKeys } from '../../../lib/tools/keys/solana.ts'
import { createSecretKey, createSigner } from '../../support/keys.ts'

/** Any address. */
const VAULT_RECOVERY = 'So11111111111111111111111111111111111111112'

async function deployment(changes: Record<string, string> = {}) {
  const keys = generatePaymentKeys()
  const vars = {
    VAULT_MINT: (await createSigner()).address,
    VAULT_AUTHORITY_ADDRESSES: `1:${(await createSigner()).address}`,
    PAYMENTS_AUTHORITY_ADDRESSES: keys.PAYMENTS_AUTHORITY_ADDRESSES,
    PROTOCOL_FEE_BPS: '100',
    FEE_STEP: '0.5',
    ...changes,
  }
  const env = { PAYMENTS_AUTHORITY_KEYS: keys.PAYMENTS_AUTHORITY_KEYS }
  return { workers: [{ group: 'payments', vars }], env, keys }
}

describe('the settings of payments', () => {
  it('are taken when keys and addresses match, and of no other Worker', async () => {
    const { workers, env } = await deployment()
    await requirePayments(workers, workers, env)
    await requirePayments([{ group: 'auth', vars: {} }], workers, {})
  })

  it('take a second key by the next name', async () => {
    const { keys, workers } = await deployment()
    const next = generatePaymentKeys(keys.PAYMENTS_AUTHORITY_KEYS, keys.PAYMENTS_AUTHORITY_ADDRESSES)
    expect(next.PAYMENTS_AUTHORITY_ADDRESSES).toMatch(/^1:.+,2:/)
    const [worker] = workers
    const vars = { ...worker?.vars, PAYMENTS_AUTHORITY_ADDRESSES: next.PAYMENTS_AUTHORITY_ADDRESSES }
    const both = [{ group: 'payments', vars }]
    await requirePayments(both, both, next)
    await expect(requirePayments(both, both, keys)).rejects.toThrow('must name the same key versions')
  })

  it.each([
    ['the payments authority', (own: string) => ({ PAYMENTS_RECOVERY_ADDRESSES: own }), {}],
    [
      'the vault',
      () => ({ PAYMENTS_RECOVERY_ADDRESSES: `1:${VAULT_RECOVERY}` }),
      { VAULT_RECOVERY_ADDRESSES: `1:${VAULT_RECOVERY}` },
    ],
  ])('refuse a recovery key of jobs that is one of %s', async (_, of, others) => {
    const { workers, env, keys } = await deployment()
    const changes = of(keys.PAYMENTS_AUTHORITY_ADDRESSES)
    const changed = workers.map(({ group, vars }) => ({ group, vars: { ...vars, ...changes } }))
    const all = [...changed, { group: 'vault', vars: others }]
    await expect(requirePayments(changed, all, env)).rejects.toThrow(
      /^PAYMENTS_RECOVERY_ADDRESSES has a key of/,
    )
    const separate = { PAYMENTS_RECOVERY_ADDRESSES: `1:${(await createSigner()).address}` }
    const right = workers.map(({ group, vars }) => ({ group, vars: { ...vars, ...separate } }))
    await requirePayments(right, right, env)
  })

  it.each([
    [
      'a key of another address',
      { PAYMENTS_AUTHORITY_KEYS: `1:${base58.encode(createSecretKey())}` },
      'differ',
    ],
    ['no key', { PAYMENTS_AUTHORITY_KEYS: '' }, 'PAYMENTS_AUTHORITY_KEYS must be a list of key versions'],
    ['text that is no key', { PAYMENTS_AUTHORITY_KEYS: '1:0OIl' }, 'PAYMENTS_AUTHORITY_KEYS'],
  ])('refuse %s, and repeat no secret', async (_, env, message) => {
    const { workers } = await deployment()
    const error = await requirePayments(workers, workers, env).catch((refused: unknown) => refused)
    expect(String(error)).toContain(message)
    const secret = env.PAYMENTS_AUTHORITY_KEYS.split(':')[1]
    if (secret) expect(String(error)).not.toContain(secret)
  })

  it.each([
    ['PROTOCOL_FEE_BPS', '10001'],
    ['PROTOCOL_FEE_BPS', '1.5'],
    ['FEE_STEP', '0'],
    ['VAULT_MINT', 'nothing'],
  ])('refuse %s = %s', async (name, value) => {
    const { workers, env } = await deployment({ [name]: value })
    await expect(requirePayments(workers, workers, env)).rejects.toThrow(name)
  })

  it.each(['VAULT_AUTHORITY_ADDRESSES', 'VAULT_RECOVERY_ADDRESSES'])(
    'refuse a key that the vault has in %s, though the vault is not deployed',
    async (name) => {
      const { workers, env, keys } = await deployment()
      const vault = {
        group: 'vault',
        vars: { [name]: keys.PAYMENTS_AUTHORITY_ADDRESSES.replace('1:', '7:') },
      }
      await expect(requirePayments(workers, [...workers, vault], env)).rejects.toThrow('a key of the vault')
    },
  )
})
