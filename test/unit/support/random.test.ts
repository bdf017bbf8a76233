import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { Keypair } from '@solana/web3.js'
import { exportJWK, generateKeyPair } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { createSecretKey } from '../../support/keys.ts'
import { drawInteger, seedRandom, shuffled } from '../../support/random.ts'

afterEach(() => seedRandom('the rest of this file'))

/** One draw by each way in which tests, the service and libraries draw. */
async function drawEach() {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return {
    web3: Keypair.generate().publicKey.toBase58(),
    jose: (await exportJWK(privateKey)).d,
    node: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x,
    secretKey: Buffer.from(createSecretKey()).toString('hex'),
    bytes: randomBytes(8).toString('hex'),
    values: crypto.getRandomValues(new Uint32Array(4)),
    ids: [randomUUID(), crypto.randomUUID()],
    order: shuffled([1, 2, 3, 4, 5, 6, 7, 8]),
    integer: drawInteger(1_000_000),
  }
}

describe('draws', () => {
  it('repeat under the same name, and differ under another', async () => {
    seedRandom('a file')
    const first = await drawEach()
    const later = await drawEach()
    seedRandom('a file')
    expect(await drawEach()).toEqual(first)
    seedRandom('another file')
    const other = await drawEach()
    for (const name of Object.keys(first) as (keyof typeof first)[]) {
      expect(other[name], name).not.toEqual(first[name])
      expect(later[name], name).not.toEqual(first[name])
    }
  })

  it('are UUIDs of version 4, and keys that sign', async () => {
    expect(randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
    expect(pair.privateKey).toMatchObject({ extractable: false, usages: ['sign'] })
    const message = randomBytes(20)
    const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, message)
    expect(await crypto.subtle.verify('Ed25519', pair.publicKey, signature, message)).toBe(true)
  })

  it('keep every item when a list is shuffled', () => {
    const items = Array.from({ length: 50 }, (_, i) => i)
    const order = shuffled(items)
    expect(order).not.toEqual(items)
    expect(order.toSorted((a, b) => a - b)).toEqual(items)
  })

  it('have no other source in the tests', () => {
    const files = globSync('test/**/*.ts', { exclude: ['test/bench/node_modules/**'] })
    const filesWith = (text: string) => files.filter((file) => readFileSync(file, 'utf8').includes(text))
    expect(filesWith(['configure', 'Global'].join(''))).toEqual(['test/support/seeded.ts'])
    expect(filesWith(['Math', 'random'].join('.'))).toEqual([])
  })
})
