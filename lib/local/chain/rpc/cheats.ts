import type { Address } from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import * as v from 'valibot'
import type { Ledger } from '../ledger.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs.ts'
import { newTokenAccount, readTokenState, withAmount, withSupply } from '../tokens.ts'
import { invalidParams } from './errors.ts'
import { inContext, type Method, method, Pubkey, U64, U64_MAX } from './params.ts'

const NATIVE_MINT = 'So11111111111111111111111111111111111111112'

/** The latest time of a Date, ms since 1970. */
const MAX_MS = 8_640_000_000_000_000

/**
 * Test controls: three of Surfpool's cheat codes (https://docs.surfpool.run/rpc/cheatcodes), with the fields
 * used here.
 */
export const cheatMethods: Record<string, Method> = {
  surfnet_setTokenAccount: method(
    v.tuple([Pubkey, Pubkey, v.strictObject({ amount: U64 }), v.nullish(Pubkey)]),
    async (chain, [owner, mint, { amount }, program]) => {
      const tokenProgram = program ?? TOKEN_PROGRAM
      const [account] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
      setTokenAccount(chain.ledger, { account, owner, mint, tokenProgram, amount })
      return inContext(chain.ledger, null)
    },
  ),

  /**
   * Writes an account; `data` is hexadecimal. Omitted fields stay. By default a new account is empty and
   * rent-exempt.
   */
  surfnet_setAccount: method(
    v.tuple([
      Pubkey,
      v.strictObject({
        lamports: v.optional(U64),
        owner: v.optional(Pubkey),
        data: v.optional(v.pipe(v.string(), v.regex(/^([0-9a-f]{2})*$/i))),
      }),
    ]),
    async (chain, [account, { lamports, owner, data }]) => {
      const existing = chain.ledger.account(account)
      const bytes = data === undefined ? (existing?.data ?? new Uint8Array()) : Buffer.from(data, 'hex')
      const space = BigInt(bytes.length)
      chain.ledger.setAccount({
        address: account,
        lamports: lamports ?? existing?.lamports ?? chain.ledger.rentExemptMinimum(space),
        programAddress: owner ?? existing?.programAddress ?? SYSTEM_PROGRAM,
        executable: false,
        space,
        data: Uint8Array.from(bytes),
      })
      return inContext(chain.ledger, null)
    },
  ),

  /** Returns getEpochInfo's result at the new time. */
  surfnet_timeTravel: method(
    v.tuple([
      v.strictObject({
        absoluteTimestamp: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_MS)),
      }),
    ]),
    async (chain, [{ absoluteTimestamp }]) => {
      if (absoluteTimestamp < chain.clock.now())
        throw invalidParams(
          `Cannot travel to the past: it is ${Math.floor(chain.clock.now())}, asked for ${absoluteTimestamp}`,
        )
      await chain.travelTo(absoluteTimestamp)
      return chain.ledger.newest.epochInfo
    },
  ),
}

interface TokenAccountChange {
  account: Address
  owner: Address
  mint: Address
  tokenProgram: Address
  amount: bigint
}

/** Sets the balance, and changes the mint's supply by the same, so that it stays the sum of all balances. */
function setTokenAccount(ledger: Ledger, { account, owner, mint, tokenProgram, amount }: TokenAccountChange) {
  const mintAccount = ledger.account(mint)
  const mintState = mintAccount && readTokenState(mintAccount.programAddress, mintAccount.data)
  if (mintState?.type !== 'mint' || mintAccount?.programAddress !== tokenProgram)
    throw invalidParams(`Invalid param: ${mint} is not a mint of ${tokenProgram}`)
  if (mint === NATIVE_MINT) throw invalidParams('Invalid param: wrapped SOL follows lamports, transfer SOL')

  const existing = ledger.account(account)
  const state = existing && readTokenState(existing.programAddress, existing.data)
  if (existing && state?.type !== 'account' && existing.programAddress !== SYSTEM_PROGRAM)
    throw invalidParams(`Invalid param: ${account} is not a token account`)
  const before = state?.type === 'account' ? state.amount : 0n
  const supply = mintState.supply - before + amount
  if (supply > U64_MAX) throw invalidParams('Invalid param: the supply of the mint would not fit 64 bits')

  const data = withAmount(
    existing && state ? Uint8Array.from(existing.data) : newTokenAccount(mint, owner),
    amount,
  )
  const rent = ledger.rentExemptMinimum(BigInt(data.length))
  const lamports = existing && existing.lamports > rent ? existing.lamports : rent
  const space = BigInt(data.length)
  ledger.setAccount({
    address: account,
    lamports,
    programAddress: tokenProgram,
    executable: false,
    space,
    data,
  })
  ledger.setAccount({ ...mintAccount, data: withSupply(mintAccount.data, supply) })
}
