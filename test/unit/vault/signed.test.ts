import {
  createKeyPairSignerFromBytes,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit'
import { Keypair, Transaction, VersionedTransaction } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { importSigner, type Signer } from '../../../lib/keys/signer.ts'
import { addressOf } from '../../../lib/solana/address.ts'
import { decodeTransaction, encodeTransaction } from '../../../lib/solana/transaction.ts'
import { isServiceWallet } from '../../../lib/vault/addresses.ts'
import { checkSigned } from '../../../lib/vault/escrow/signed.ts'
import { buildStack, type Stack } from '../../../lib/vault/escrow/stack.ts'
import { cred, lamports } from '../../../schema/amounts.ts'
import { createSecretKey, createSigner, signAsOwner } from '../../support/keys.ts'

const secretKey = createSecretKey()
let owner: Signer
let authority: Signer
let stack: Stack
let built: string

beforeAll(async () => {
  owner = await importSigner(secretKey)
  authority = await createSigner()
  const recovery = await createSigner()
  stack = {
    id: '0192f3c0-0000-7000-8000-000000000000',
    escrow: {
      owner: owner.address,
      mint: addressOf(new Uint8Array(32).fill(5)),
      keys: { keyVersion: 1, authority: authority.address, recovery: recovery.address },
    },
    terms: {
      amount: cred(1_500_000_000n),
      lockDays: 30,
      apyBps: 1000,
      stakedAt: new Date('2026-11-20T10:00:00Z'),
    },
    positionSeed: 'a'.repeat(32),
    vault: { kind: 'absent', lamports: lamports(0n) },
    rents: { multisig: lamports(3_361_680n), tokenAccount: lamports(2_039_280n) },
    network: { blockhash: addressOf(new Uint8Array(32).fill(6)), computeUnitPrice: 1000n },
  }
  built = (await buildStack(authority, stack)).transaction
})

/** The built transaction with parts of it replaced. */
function changed(
  change: (parts: {
    owner: Uint8Array<ArrayBuffer>
    authority: Uint8Array<ArrayBuffer>
    message: Uint8Array<ArrayBuffer>
  }) => void,
) {
  const decoded = decodeTransaction(built)
  const [ownerSlot, authoritySlot] = decoded?.signatures ?? []
  if (!decoded || !ownerSlot || !authoritySlot) throw new Error('not built')
  const parts = { owner: ownerSlot, authority: authoritySlot, message: decoded.message }
  change(parts)
  return encodeTransaction({ signatures: [parts.owner, parts.authority], message: parts.message })
}

describe('a built transaction', () => {
  it('is the same for the same input', async () => {
    expect((await buildStack(authority, stack)).transaction).toBe(built)
  })

  it('is not built by another key than the authority, nor for the authority as owner', async () => {
    await expect(buildStack(await createSigner(), stack)).rejects.toThrow(TypeError)
    const escrow = { ...stack.escrow, owner: authority.address }
    await expect(buildStack(authority, { ...stack, escrow })).rejects.toThrow(TypeError)
  })

  it('is signed by wallets of web3.js and of kit without a change', async () => {
    const keypair = Keypair.fromSecretKey(secretKey)
    const legacy = Transaction.from(Buffer.from(built, 'base64'))
    legacy.partialSign(keypair)
    const versioned = VersionedTransaction.deserialize(Buffer.from(built, 'base64'))
    versioned.sign([keypair])
    const kitSigner = await createKeyPairSignerFromBytes(secretKey)
    const kit = await partiallySignTransaction(
      [kitSigner.keyPair],
      getTransactionDecoder().decode(Buffer.from(built, 'base64')),
    )
    const signed = [
      legacy.serialize().toString('base64'),
      Buffer.from(versioned.serialize()).toString('base64'),
      getBase64EncodedWireTransaction(kit),
    ]
    for (const transaction of signed) {
      expect(transaction).toBe(await signAsOwner(built, owner))
      expect(await checkSigned(built, transaction)).toMatchObject({ ok: true })
    }
  })
})

describe('a transaction sent back', () => {
  it('is the one built when only the owner signature was added, and gives its id', async () => {
    const signed = await signAsOwner(built, owner)
    const check = await checkSigned(built, signed)
    const { signature } = Transaction.from(Buffer.from(signed, 'base64'))
    expect(check).toEqual({ ok: true, signature: addressOf(new Uint8Array(signature ?? [])) })
  })

  it('is refused without the owner signature, or with one of another key or message', async () => {
    const stranger = await createSigner()
    const message = decodeTransaction(built)?.message ?? new Uint8Array()
    const foreign = await stranger.sign(message)
    const misplaced = await owner.sign(message.slice(1))
    const altered = [
      built,
      changed((parts) => {
        parts.owner = foreign
      }),
      changed((parts) => {
        parts.owner = misplaced
      }),
      changed((parts) => {
        parts.owner = parts.authority
      }),
    ]
    for (const transaction of altered) {
      expect(await checkSigned(built, transaction)).toEqual({ ok: false, error: 'owner_signature_invalid' })
    }
  })

  it('is refused when the cosignature was altered or removed', async () => {
    const signature = await owner.sign(decodeTransaction(built)?.message ?? new Uint8Array())
    for (const alter of [
      (bytes: Uint8Array) => bytes.fill(0),
      (bytes: Uint8Array) => bytes.set([bytes[0] === 0 ? 1 : 0]),
    ]) {
      const transaction = changed((parts) => {
        parts.owner = signature
        alter(parts.authority)
      })
      expect(await checkSigned(built, transaction)).toEqual({ ok: false, error: 'cosignature_altered' })
    }
  })

  it('is refused for any single altered, missing or added byte of the message', async () => {
    const { length } = decodeTransaction(built)?.message ?? new Uint8Array()
    // The first byte repeats the number of signatures: altered, it is no transaction.
    for (let offset = 1; offset < length; offset += 1) {
      const transaction = changed(({ message }) => message.set([(message[offset] ?? 0) ^ 0x10], offset))
      expect(await checkSigned(built, transaction)).toEqual({ ok: false, error: 'other_message' })
    }
    for (const message of [(bytes: Uint8Array) => bytes.slice(0, -1), (bytes: Uint8Array) => [...bytes, 0]]) {
      const transaction = changed((parts) => {
        parts.message = new Uint8Array(message(parts.message))
      })
      expect(await checkSigned(built, transaction)).toEqual({ ok: false, error: 'other_message' })
    }
  })

  it.each(['', 'AAAA', 'not base64', 'A'.repeat(5000)])(
    'is refused when it is no transaction (%#)',
    async (text) => {
      expect(await checkSigned(built, text)).toEqual({ ok: false, error: 'malformed' })
    },
  )
})

describe('the wallets of the service', () => {
  it('are authority, recovery and treasury', () => {
    const { keys, owner: wallet, mint } = stack.escrow
    const verdicts = [keys.authority, keys.recovery, mint, wallet].map((candidate) =>
      isServiceWallet(candidate, keys, mint),
    )
    expect(verdicts).toEqual([true, true, true, false])
  })
})
