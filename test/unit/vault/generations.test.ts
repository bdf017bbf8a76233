import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { readKeyVersions } from '../../../lib/keys/key-versions.ts'
import { escrowSettings, keyringOf } from '../../../lib/vault/keyring.ts'

const [first, second, recovery, mint] = Array.from({ length: 4 }, () => Keypair.generate())
if (!first || !second || !recovery || !mint) throw new Error('no keys')
const address = (pair: Keypair) => pair.publicKey.toBase58()
const secret = (pair: Keypair) => base58.encode(pair.secretKey)

describe('a setting by key version', () => {
  it('keeps a version’s number when an older one is dropped', async () => {
    const settings = {
      mint: address(mint),
      authorityKeys: `7:${secret(second)}`,
      authorityAddresses: `7:${address(second)}`,
      recoveryAddresses: `7:${address(recovery)}`,
    }
    expect((await keyringOf(settings)).current).toMatchObject({ keyVersion: 7, authority: address(second) })
    expect(escrowSettings(settings).keyVersions).toMatchObject([{ keyVersion: 7 }])
  })

  it('is read in any order, spaces aside; the newest opens positions', () => {
    const { current, keyVersions } = escrowSettings({
      mint: address(mint),
      authorityAddresses: `2:${address(second)}, 1:${address(first)}`,
      recoveryAddresses: `1:${address(recovery)},2:${address(recovery)}`,
    })
    expect(keyVersions.map(({ keyVersion }) => keyVersion)).toEqual([1, 2])
    expect(current.authority).toBe(address(second))
  })

  it.each([
    ['without names', 'abc,def'],
    ['with a name left out', '1:abc,def'],
    ['empty', ''],
    ['with generation 0', '0:abc'],
    ['beyond what a table holds', '32768:abc'],
    ['without a value', '1:'],
  ])('%s is refused by the setting’s name', (_, text) => {
    expect(() => readKeyVersions('VAULT_X', text)).toThrow(
      /^VAULT_X must be a list of key versions: 1:<Base58>/,
    )
  })

  it('is refused when it names a version twice, or other versions than its siblings', async () => {
    expect(() => readKeyVersions('VAULT_X', '1:a,1:b')).toThrow('VAULT_X names a key version twice')
    const settings = {
      mint: address(mint),
      authorityAddresses: `1:${address(first)},2:${address(second)}`,
      recoveryAddresses: `1:${address(recovery)},2:${address(recovery)}`,
    }
    const one = { ...settings, recoveryAddresses: `1:${address(recovery)}` }
    expect(() => escrowSettings(one)).toThrow('must name the same key versions')
    await expect(keyringOf({ ...settings, authorityKeys: `1:${secret(first)}` })).rejects.toThrow(
      'VAULT_AUTHORITY_KEYS and VAULT_AUTHORITY_ADDRESSES must name the same key versions',
    )
    const swapped = `1:${secret(second)},2:${secret(first)}`
    await expect(keyringOf({ ...settings, authorityKeys: swapped })).rejects.toThrow(
      'differ in key version 1',
    )
  })
})
