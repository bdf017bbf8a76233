import { base64 } from '@scure/base'
import { getTransactionDecoder, address as kitAddress, lamports as kitLamports } from '@solana/kit'
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { FailedTransactionMetadata } from 'litesvm'
import type { Signer } from '../../lib/keys/signer.ts'
import { lighthouseStandIn } from '../../lib/local/chain/lighthouse.ts'
import { createSvm, type TokenProgram } from '../../lib/local/chain/svm.ts'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import type { Instruction } from '../../lib/solana/instruction.ts'
import { compileMessage } from '../../lib/solana/message.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { LIGHTHOUSE_PROGRAM, SYSTEM_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { type ChainAccount, decodeTokenAccount } from '../../lib/solana/token-state.ts'
import { encodeTransaction, SIGNATURE_BYTES } from '../../lib/solana/transaction.ts'
import { type Cred, cred, type Lamports, lamports } from '../../schema/amounts.ts'
import { createSigner, signAll } from './keys.ts'

/** What came of a transaction: the error names the failing instruction and why. */
type Outcome = { error: string | undefined; units: bigint; logs: string[] }

/** Lamports a wallet of the tests starts with. */
export const FUNDS = lamports(1_000_000_000n)

/**
 * A chain of one machine with the real System, Token, Associated Token and Memo programs, one that
 * takes a wallet's guards, and a mint of CRED.
 */
export async function createLedger(tokenProgram: TokenProgram = 'p-token') {
  const svm = createSvm(tokenProgram)
  svm.addProgram(kitAddress(LIGHTHOUSE_PROGRAM), lighthouseStandIn())
  const mint = (await createSigner()).address
  setData(
    mint,
    82n,
    new Uint8Array(
      getMintEncoder().encode({
        mintAuthority: null,
        supply: 1n << 62n,
        decimals: 9,
        isInitialized: true,
        freezeAuthority: null,
      }),
    ),
  )

  function setData(address: Address, space: bigint, data: Uint8Array): void {
    svm.setAccount({
      address: kitAddress(address),
      data,
      executable: false,
      lamports: kitLamports(svm.minimumBalanceForRentExemption(space)),
      programAddress: TOKEN_PROGRAM_ADDRESS,
      space,
    })
  }

  const account = (address: Address): ChainAccount | undefined => {
    const found = svm.getAccount(kitAddress(address))
    if (!found.exists) return undefined
    return {
      owner: parseAddress(found.programAddress),
      lamports: found.lamports,
      data: new Uint8Array(found.data),
    }
  }

  const send = (transaction: string): Outcome => {
    const result = svm.sendTransaction(getTransactionDecoder().decode(base64.decode(transaction)))
    const failed = result instanceof FailedTransactionMetadata
    const meta = failed ? result.meta() : result
    return {
      error: failed ? errorOf(result) : undefined,
      units: meta.computeUnitsConsumed(),
      logs: meta.logs(),
    }
  }

  return {
    svm,
    mint,
    account,
    send,
    blockhash: (): string => {
      svm.expireBlockhash()
      return svm.latestBlockhash()
    },
    rentOf: (bytes: number): Lamports => lamports(svm.minimumBalanceForRentExemption(BigInt(bytes))),
    lamportsOf: (address: Address): bigint => account(address)?.lamports ?? 0n,
    /** Returns the balance of a token account; 0 if it does not exist. */
    tokensIn: (address: Address): Cred => cred(decodeTokenAccount(account(address))?.amount ?? 0n),
    airdrop: (address: Address, amount: bigint = FUNDS): void => {
      svm.airdrop(kitAddress(address), kitLamports(amount))
    },
    /** Makes an address hold so few lamports that no transfer would be let to leave it so. */
    setLamports(address: Address, amount: bigint): void {
      svm.setAccount({
        address: kitAddress(address),
        data: new Uint8Array(),
        executable: false,
        lamports: kitLamports(amount),
        programAddress: kitAddress(SYSTEM_PROGRAM),
        space: 0n,
      })
    },
    /** Makes `owner`'s associated token account hold exactly this; `as` puts another owner into it. */
    async setTokens(owner: Address, amount: bigint, as: Address = owner): Promise<Address> {
      const address = await associatedTokenAddress(owner, mint)
      setData(
        address,
        165n,
        new Uint8Array(
          getTokenEncoder().encode({
            mint: kitAddress(mint),
            owner: kitAddress(as),
            amount,
            delegate: null,
            state: AccountState.Initialized,
            isNative: null,
            delegatedAmount: 0n,
            closeAuthority: null,
          }),
        ),
      )
      return address
    },
    /** Freezes a token account, or thaws it, as the mint's freeze authority would. */
    setFrozen(address: Address, isFrozen: boolean): void {
      const data = account(address)?.data
      if (!data) throw new Error('no such account')
      data[108] = isFrozen ? 2 : 1
      setData(address, 165n, data)
    },
    /** Signs and sends instructions that no builder makes: the first signer pays. */
    async run(signers: Signer[], instructions: Instruction[]): Promise<Outcome> {
      const [feePayer] = signers
      if (!feePayer) throw new Error('nobody signs')
      svm.expireBlockhash()
      const message = compileMessage(feePayer.address, instructions, svm.latestBlockhash())
      const empty = {
        signatures: message.signers.map(() => new Uint8Array(SIGNATURE_BYTES)),
        message: message.bytes,
      }
      return send(await signAll(encodeTransaction(empty), message.signers, signers))
    },
  }
}

/** As the runtime prints it, such as "InstructionError(5, MissingRequiredSignature)". */
const errorOf = (failed: FailedTransactionMetadata): string =>
  /err: (.+?), meta:/.exec(failed.toString())?.[1] ?? failed.toString()

export type Ledger = Awaited<ReturnType<typeof createLedger>>
