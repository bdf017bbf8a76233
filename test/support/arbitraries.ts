import { base58 } from '@scure/base'
import fc from 'fast-check'
import { addressOf } from '../../lib/solana/address.ts'
import type { AccountMeta, Instruction } from '../../lib/solana/instruction.ts'
import type { Wallet } from '../../schema/wallet.ts'

export const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf)

/** Parts of a message. They use few addresses, so that instructions share them in different roles. */
export const scenes = fc.array(addresses, { minLength: 3, maxLength: 12 }).chain((pool) => {
  const someone = fc.constantFrom(...pool)
  const meta = fc.record<AccountMeta>({ address: someone, isSigner: fc.boolean(), isWritable: fc.boolean() })
  const instruction = fc.record<Instruction>({
    program: addresses,
    accounts: fc.array(meta, { maxLength: 8 }),
    data: fc.uint8Array({ maxLength: 200 }),
  })
  return fc.record({
    feePayer: someone,
    instructions: fc.array(instruction, { minLength: 1, maxLength: 6 }),
    blockhash: addresses,
  })
})

/** Seeds of at most 32 bytes, beyond ASCII too. */
export const seeds = fc
  .string({ unit: 'grapheme' })
  .filter((text) => new TextEncoder().encode(text).length <= 32)

export const u64s = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })

/** Any wallet address. */
export const wallets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => base58.encode(new Uint8Array(bytes)) as Wallet)

/** Times that a JSON date writes with four digits of year. */
export const times = fc.date({
  min: new Date(0),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
