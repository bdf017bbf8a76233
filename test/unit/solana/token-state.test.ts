import { address as kit, none, type Option, some } from '@solana/kit'
import { AccountState, getMintEncoder, getMultisigEncoder, getTokenEncoder } from '@solana-program/token'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, addressOf, parseAddress } from '../../../lib/solana/address.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import {
  type ChainAccount,
  decodeMint,
  decodeMultisig,
  decodeTokenAccount,
} from '../../../lib/solana/token-state.ts'
import { addresses, u64s } from '../../support/arbitraries.ts'

const TOKEN_2022 = parseAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

const account = (data: ArrayLike<number>, owner: Address = TOKEN_PROGRAM): ChainAccount => ({
  owner,
  lamports: 1n,
  data: Uint8Array.from(data),
})

const optional = (address: Address | undefined): Option<ReturnType<typeof kit>> =>
  address === undefined ? none() : some(kit(address))

const maybeAddress = fc.option(addresses, { nil: undefined })

const tokenAccounts = fc.record({
  mint: addresses,
  owner: addresses,
  amount: u64s,
  delegate: maybeAddress,
  state: fc.constantFrom('initialized' as const, 'frozen' as const),
  isNative: fc.boolean(),
  delegatedAmount: u64s,
  closeAuthority: maybeAddress,
})

const encoded = (token: typeof tokenAccounts extends fc.Arbitrary<infer T> ? T : never) =>
  getTokenEncoder().encode({
    mint: kit(token.mint),
    owner: kit(token.owner),
    amount: token.amount,
    delegate: optional(token.delegate),
    state: token.state === 'frozen' ? AccountState.Frozen : AccountState.Initialized,
    isNative: token.isNative ? some(2_039_280n) : none(),
    delegatedAmount: token.delegatedAmount,
    closeAuthority: optional(token.closeAuthority),
  })

const plain = encoded({
  mint: addressOf(new Uint8Array(32).fill(1)),
  owner: addressOf(new Uint8Array(32).fill(2)),
  amount: 5n,
  delegate: undefined,
  state: 'initialized',
  isNative: false,
  delegatedAmount: 0n,
  closeAuthority: undefined,
})

describe('a token account', () => {
  it('decodes to every field that @solana-program/token encoded', () =>
    fc.assert(
      fc.property(tokenAccounts, (token) => {
        expect(decodeTokenAccount(account(encoded(token)))).toEqual(token)
      }),
    ))

  it('is read from the middle of a larger buffer', () => {
    const buffer = new Uint8Array(300)
    buffer.set(plain, 70)
    expect(
      decodeTokenAccount({ owner: TOKEN_PROGRAM, lamports: 1n, data: buffer.subarray(70, 235) })?.amount,
    ).toBe(5n)
  })

  it.each([
    ['an absent account', undefined],
    ['one byte less', account(plain.slice(1))],
    ['one byte more', account([...plain, 0])],
    ['another program', account(plain, SYSTEM_PROGRAM)],
    ['Token-2022', account(plain, TOKEN_2022)],
    ['zeros', account(new Uint8Array(165))],
    ['an unknown state', account(plain.map((byte, index) => (index === 108 ? 3 : byte)))],
    ['a delegate tag of 2', account(plain.map((byte, index) => (index === 72 ? 2 : byte)))],
    ['a native tag of 256', account(plain.map((byte, index) => (index === 110 ? 1 : byte)))],
    ['a close authority tag of 2', account(plain.map((byte, index) => (index === 129 ? 2 : byte)))],
    ['a multisig', account(new Uint8Array(355).fill(1))],
  ])('is not read from %s', (_, data) => {
    expect(decodeTokenAccount(data)).toBeUndefined()
  })
})

describe('a multisig', () => {
  const multisig = (signers: Address[], m: number, isInitialized = true) =>
    getMultisigEncoder().encode({
      m,
      n: signers.length,
      isInitialized,
      signers: Array.from({ length: 11 }, (_, index) => kit(signers[index] ?? SYSTEM_PROGRAM)),
    })

  it('decodes to what @solana-program/token encoded', () =>
    fc.assert(
      fc.property(
        fc.array(addresses, { minLength: 1, maxLength: 11 }),
        fc.integer({ min: 1, max: 11 }),
        (signers, m) => {
          expect(decodeMultisig(account(multisig(signers, m)))).toEqual({ required: m, signers })
        },
      ),
    ))

  const one = [addressOf(new Uint8Array(32).fill(1))]
  it.each([
    ['an uninitialized one', account(multisig(one, 1, false))],
    ['one of no signers', account(multisig([], 1))],
    ['one of twelve', account(multisig(one, 1).map((byte, index) => (index === 1 ? 12 : byte)))],
    ['another program', account(multisig(one, 1), SYSTEM_PROGRAM)],
    ['another length', account(multisig(one, 1).slice(1))],
  ])('is not read from %s', (_, data) => {
    expect(decodeMultisig(data)).toBeUndefined()
  })
})

describe('a mint', () => {
  const mint = (isInitialized = true, authority?: Address) =>
    getMintEncoder().encode({
      mintAuthority: optional(authority),
      supply: 10n ** 18n,
      decimals: 9,
      isInitialized,
      freezeAuthority: optional(authority),
    })

  it('decodes to what @solana-program/token encoded', () =>
    fc.assert(
      fc.property(maybeAddress, (authority) => {
        expect(decodeMint(account(mint(true, authority)))).toEqual({
          mintAuthority: authority,
          supply: 10n ** 18n,
          decimals: 9,
          freezeAuthority: authority,
        })
      }),
    ))

  it.each([
    ['an uninitialized one', account(mint(false))],
    ['Token-2022', account(mint(), TOKEN_2022)],
    ['a mint with extensions', account([...mint(), 1, 2, 3])],
    ['an authority tag of 2', account(mint().map((byte, index) => (index === 0 ? 2 : byte)))],
  ])('is not read from %s', (_, data) => {
    expect(decodeMint(data)).toBeUndefined()
  })
})
