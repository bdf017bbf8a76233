import {
  AccountRole,
  createNoopSigner,
  type AccountMeta as KitAccountMeta,
  address as kit,
} from '@solana/kit'
import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMultisig2Instruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, addressOf, createWithSeed } from '../../../lib/solana/address.ts'
import type { Instruction } from '../../../lib/solana/instruction.ts'
import {
  associatedTokenAddress,
  createAssociatedIdempotent,
} from '../../../lib/solana/programs/associated-token.ts'
import {
  networkFee,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../lib/solana/programs/compute-budget.ts'
import { memo } from '../../../lib/solana/programs/memo.ts'
import { TOKEN_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import {
  allocateWithSeed,
  assignWithSeed,
  createAccountWithSeed,
  type SeededAccount,
  transfer,
} from '../../../lib/solana/programs/system.ts'
import {
  closeAccount,
  initializeAccount3,
  initializeMultisig2,
  transferChecked,
} from '../../../lib/solana/programs/token.ts'
import { addresses, seeds, u64s } from '../../support/arbitraries.ts'

const key = (address: Address) => new PublicKey(address)

/** web3.js's instruction, in our shape. */
const fromWeb3 = ({ programId, keys, data }: TransactionInstruction) => ({
  program: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    isSigner,
    isWritable,
  })),
  data: new Uint8Array(data),
})

/** kit's instruction, in our shape. */
const fromKit = (instruction: {
  programAddress: string
  accounts: readonly KitAccountMeta[]
  data: ArrayLike<number>
}) => ({
  program: instruction.programAddress,
  accounts: instruction.accounts.map(({ address, role }) => ({
    address: String(address),
    isSigner: role === AccountRole.READONLY_SIGNER || role === AccountRole.WRITABLE_SIGNER,
    isWritable: role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  })),
  data: Uint8Array.from(instruction.data),
})

const same = (actual: Instruction, expected: unknown) => expect(actual).toEqual(expected)

const seeded = fc.record<SeededAccount>({
  address: addresses,
  base: addresses,
  seed: seeds,
  program: addresses,
})

describe('instructions, byte for byte', () => {
  it('Transfer as web3.js encodes it', () =>
    fc.assert(
      fc.property(addresses, addresses, u64s, (from, to, lamports) => {
        const expected = SystemProgram.transfer({ fromPubkey: key(from), toPubkey: key(to), lamports })
        same(transfer(from, to, lamports), fromWeb3(expected))
      }),
    ))

  it('CreateAccountWithSeed as web3.js encodes it', () =>
    fc.assert(
      fc.property(seeded, fc.nat(), fc.nat(), (account, lamports, space) => {
        const expected = SystemProgram.createAccountWithSeed({
          fromPubkey: key(account.base),
          newAccountPubkey: key(account.address),
          basePubkey: key(account.base),
          seed: account.seed,
          lamports,
          space,
          programId: key(account.program),
        })
        same(createAccountWithSeed(account, BigInt(lamports), BigInt(space)), fromWeb3(expected))
      }),
    ))

  it('AllocateWithSeed as web3.js encodes it', () =>
    fc.assert(
      fc.property(seeded, fc.nat(), (account, space) => {
        const expected = SystemProgram.allocate({
          accountPubkey: key(account.address),
          basePubkey: key(account.base),
          seed: account.seed,
          space,
          programId: key(account.program),
        })
        same(allocateWithSeed(account, BigInt(space)), fromWeb3(expected))
      }),
    ))

  it('AssignWithSeed as web3.js encodes it', () =>
    fc.assert(
      fc.property(seeded, (account) => {
        const expected = SystemProgram.assign({
          accountPubkey: key(account.address),
          basePubkey: key(account.base),
          seed: account.seed,
          programId: key(account.program),
        })
        same(assignWithSeed(account), fromWeb3(expected))
      }),
    ))

  it('SetComputeUnitLimit and SetComputeUnitPrice as web3.js encodes them', () =>
    fc.assert(
      fc.property(fc.nat({ max: 1_400_000 }), u64s, (units, microLamports) => {
        same(setComputeUnitLimit(units), fromWeb3(ComputeBudgetProgram.setComputeUnitLimit({ units })))
        same(
          setComputeUnitPrice(microLamports),
          fromWeb3(ComputeBudgetProgram.setComputeUnitPrice({ microLamports })),
        )
      }),
    ))

  it('InitializeMultisig2 as @solana-program/token encodes it', () =>
    fc.assert(
      fc.property(addresses, fc.array(addresses, { minLength: 1, maxLength: 11 }), (multisig, signers) => {
        const input = {
          multisig: kit(multisig),
          m: signers.length,
          signers: signers.map((signer) => kit(signer)),
        }
        same(
          initializeMultisig2(multisig, signers.length, signers),
          fromKit(getInitializeMultisig2Instruction(input)),
        )
      }),
    ))

  it('InitializeAccount3 as @solana-program/token encodes it', () =>
    fc.assert(
      fc.property(addresses, addresses, addresses, (account, mint, owner) => {
        const input = { account: kit(account), mint: kit(mint), owner: kit(owner) }
        same(initializeAccount3(account, mint, owner), fromKit(getInitializeAccount3Instruction(input)))
      }),
    ))

  const twoSigners = fc.tuple(addresses, addresses)

  it('TransferChecked as @solana-program/token encodes it, by a key and by a multisig', () =>
    fc.assert(
      fc.property(
        addresses,
        addresses,
        addresses,
        addresses,
        u64s,
        twoSigners,
        (source, mint, destination, owner, amount, signers) => {
          const accounts = {
            source: kit(source),
            mint: kit(mint),
            destination: kit(destination),
            amount,
            decimals: 9,
          }
          const byKey = getTransferCheckedInstruction({
            ...accounts,
            authority: createNoopSigner(kit(owner)),
          })
          const multiSigners = signers.map((signer) => createNoopSigner(kit(signer)))
          const byMultisig = getTransferCheckedInstruction({
            ...accounts,
            authority: kit(owner),
            multiSigners,
          })
          const actual = { source, mint, destination, amount, decimals: 9 }
          same(transferChecked(actual, { owner }), fromKit(byKey))
          same(transferChecked(actual, { owner, signers }), fromKit(byMultisig))
        },
      ),
    ))

  it('CloseAccount as @solana-program/token encodes it, by a key and by a multisig', () =>
    fc.assert(
      fc.property(addresses, addresses, addresses, twoSigners, (account, destination, owner, signers) => {
        const accounts = { account: kit(account), destination: kit(destination) }
        const byKey = getCloseAccountInstruction({ ...accounts, owner: createNoopSigner(kit(owner)) })
        const multiSigners = signers.map((signer) => createNoopSigner(kit(signer)))
        const byMultisig = getCloseAccountInstruction({ ...accounts, owner: kit(owner), multiSigners })
        same(closeAccount(account, destination, { owner }), fromKit(byKey))
        same(closeAccount(account, destination, { owner, signers }), fromKit(byMultisig))
      }),
    ))

  it('CreateIdempotent as @solana-program/token encodes it', () =>
    fc.assert(
      fc.property(addresses, addresses, addresses, (ata, owner, mint) => {
        const accounts = { ata: kit(ata), owner: kit(owner), mint: kit(mint) }
        const expected = getCreateAssociatedTokenIdempotentInstruction({
          ...accounts,
          payer: createNoopSigner(kit(owner)),
        })
        same(createAssociatedIdempotent(ata, owner, mint), fromKit(expected))
      }),
    ))

  it('a memo is its UTF-8 and its signer', () => {
    const by = addressOf(new Uint8Array(32).fill(7))
    expect(memo('yïeld', by)).toEqual({
      program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      accounts: [{ address: by, isSigner: true, isWritable: false }],
      data: new Uint8Array([0x79, 0xc3, 0xaf, 0x65, 0x6c, 0x64]),
    })
  })

  it.each([-1n, 1n << 64n])('refuses an amount of %d instead of wrapping it around', (amount) => {
    const anyone = addressOf(new Uint8Array(32))
    expect(() => transfer(anyone, anyone, amount)).toThrow(RangeError)
  })
})

describe('addresses', () => {
  it('are derived from base and seed as web3.js does', () =>
    fc.assert(
      fc.asyncProperty(addresses, seeds, addresses, async (base, seed, program) => {
        const expected = await PublicKey.createWithSeed(key(base), seed, key(program))
        expect(await createWithSeed(base, seed, program)).toBe(expected.toBase58())
      }),
    ))

  it('of associated token accounts are the ones that web3.js finds', () =>
    fc.assert(
      fc.asyncProperty(addresses, addresses, async (owner, mint) => {
        const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
        const seedKeys = [owner, TOKEN_PROGRAM, mint].map((seed) => key(seed).toBytes())
        const [expected] = PublicKey.findProgramAddressSync(seedKeys, program)
        expect(await associatedTokenAddress(owner, mint)).toBe(expected.toBase58())
      }),
      { numRuns: 50 },
    ))

  it('are refused for a seed of 33 bytes, counted in UTF-8', async () => {
    const base = addressOf(new Uint8Array(32).fill(1))
    await expect(createWithSeed(base, 'é'.repeat(17), TOKEN_PROGRAM)).rejects.toThrow(RangeError)
    await expect(createWithSeed(base, 'é'.repeat(16), TOKEN_PROGRAM)).resolves.toBeDefined()
  })
})

describe('the network fee', () => {
  it('is 5,000 lamports a signature and the priority fee, rounded up', () => {
    expect(networkFee(2, 200_000, 0n)).toBe(10_000n)
    expect(networkFee(2, 200_000, 1n)).toBe(10_001n)
    expect(networkFee(2, 200_000, 1_000n)).toBe(10_200n)
  })
})
