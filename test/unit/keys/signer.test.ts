import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { verifiesAny } from '../../../lib/keys/signature.ts'
import { importSigner } from '../../../lib/keys/signer.ts'
import { addressBytes } from '../../../lib/solana/address.ts'
import { createSecretKey } from '../../support/keys.ts'

const message = new Uint8Array([1, 2, 3])

describe('a signer', () => {
  it('has the address that web3.js derives from the secret key', async () => {
    const { secretKey, publicKey } = Keypair.generate()
    const signer = await importSigner(secretKey)
    expect(signer.address).toBe(publicKey.toBase58())
    const signature = await signer.sign(message)
    expect(await verifiesAny(addressBytes(signer.address), signature, [message])).toBe(true)
  })

  it('is rejected when the secret key is short, long, or has another public key', async () => {
    const secretKey = createSecretKey()
    const mixed = new Uint8Array([...secretKey.subarray(0, 32), ...createSecretKey().subarray(32)])
    for (const bad of [
      secretKey.subarray(0, 32),
      new Uint8Array([...secretKey, 0]),
      mixed,
      new Uint8Array(),
    ]) {
      await expect(importSigner(bad)).rejects.toThrow(TypeError)
    }
  })
})
