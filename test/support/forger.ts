import { address as kitAddress, type ReadonlyUint8Array } from '@solana/kit'
import {
  Keypair,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import {
  getInitializeMint2InstructionDataEncoder,
  getMintToInstructionDataEncoder,
} from '@solana-program/token'
import { importSigner } from '../../lib/keys/signer.ts'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { createAccountWithSeed } from '../../lib/solana/programs/system.ts'
import {
  initializeAccount3,
  initializeMultisig2,
  MULTISIG_BYTES,
  TOKEN_ACCOUNT_BYTES,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { type Escrow, vaultAccount } from '../../lib/vault/addresses.ts'
import { buildClaim } from '../../lib/vault/escrow/claim.ts'
import { buildUnstack } from '../../lib/vault/escrow/unstack.ts'
import { cred } from '../../schema/amounts.ts'
import { addressOf, mintOf, ownerTokensOf, perform } from './chain.ts'
import { signAsOwner } from './keys.ts'
import type { Answer, Body, Service } from './service.ts'
import { balanceOf, connectionOf, keypairOf, type Staker } from './staker.ts'

/* The acts of a wallet on the chain alone, with the transactions that the service has built for it. */

const MINT_BYTES = 82

/** The escrow of a wallet's vault under the keys of the first version. */
export const escrowOf = (service: Service, staker: Staker): Escrow => ({
  owner: parseAddress(staker.owner),
  mint: mintOf(service),
  keys: {
    keyVersion: 1,
    authority: addressOf(keypairOf(service.solana.keys.authority)),
    recovery: addressOf(keypairOf(service.solana.keys.recovery)),
  },
})

/** Where a built stack would put its position: the address and the seed that it is made from. */
export function positionOf(stack: Answer): { address: Address; seed: string } {
  const { instructions } = Transaction.from(Buffer.from(String(stack.body.transaction), 'base64'))
  const [creation] = instructions.filter(
    (one) =>
      one.programId.equals(SystemProgram.programId) &&
      SystemInstruction.decodeInstructionType(one) === 'CreateWithSeed',
  )
  if (!creation) throw new Error('the stack creates no account')
  const { seed, newAccountPubkey } = SystemInstruction.decodeCreateWithSeed(creation)
  return { address: parseAddress(newAccountPubkey.toBase58()), seed }
}

/** Makes a multisig of any signers at the address of the wallet's vault. */
export async function makeVault(
  service: Service,
  staker: Staker,
  required: number,
  signers: Address[],
): Promise<Address> {
  const vault = await vaultAccount(escrowOf(service, staker))
  const rent = await connectionOf(service).getMinimumBalanceForRentExemption(MULTISIG_BYTES)
  await perform(
    service,
    [staker.keypair],
    [
      createAccountWithSeed(vault, BigInt(rent), BigInt(MULTISIG_BYTES)),
      initializeMultisig2(vault.address, required, signers),
    ],
  )
  return vault.address
}

/** Makes the account of a built stack by hand, with the owner `holder`, filled from the wallet's tokens. */
export async function makePosition(
  service: Service,
  staker: Staker,
  stack: Answer,
  { holder, amount }: { holder: Address; amount: bigint },
): Promise<Address> {
  const owner = parseAddress(staker.owner)
  const { address, seed } = positionOf(stack)
  const rent = await connectionOf(service).getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES)
  const account = { address, base: owner, seed, program: TOKEN_PROGRAM }
  const source = await ownerTokensOf(service, staker.owner)
  await perform(
    service,
    [staker.keypair],
    [
      createAccountWithSeed(account, BigInt(rent), BigInt(TOKEN_ACCOUNT_BYTES)),
      initializeAccount3(address, mintOf(service), holder),
      transferChecked(
        { source, mint: mintOf(service), destination: address, amount, decimals: 9 },
        { owner },
      ),
    ],
  )
  return address
}

/**
 * Makes an account of a worthless mint, which the staker makes too, at a position's address: held by the
 * vault, with any amount. The address must be vacant.
 */
export async function disguisePosition(
  service: Service,
  staker: Staker,
  { address, seed, amount }: { address: Address; seed: string; amount: bigint },
): Promise<void> {
  const connection = connectionOf(service)
  const owner = parseAddress(staker.owner)
  const mint = Keypair.generate()
  const { address: vault } = await vaultAccount(escrowOf(service, staker))
  const [mintRent, rent] = await Promise.all(
    [MINT_BYTES, TOKEN_ACCOUNT_BYTES].map((bytes) => connection.getMinimumBalanceForRentExemption(bytes)),
  )
  const account = { address, base: owner, seed, program: TOKEN_PROGRAM }
  const ofToken = (keys: TransactionInstruction['keys'], data: ReadonlyUint8Array) =>
    new TransactionInstruction({ programId: new PublicKey(TOKEN_PROGRAM), keys, data: Buffer.from(data) })
  const key = (pubkey: PublicKey, isSigner = false) => ({ pubkey, isSigner, isWritable: true })
  await perform(
    service,
    [staker.keypair, mint],
    [
      SystemProgram.createAccount({
        fromPubkey: staker.keypair.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports: mintRent ?? 0,
        space: MINT_BYTES,
        programId: new PublicKey(TOKEN_PROGRAM),
      }),
      ofToken(
        [key(mint.publicKey)],
        getInitializeMint2InstructionDataEncoder().encode({
          decimals: 9,
          mintAuthority: kitAddress(owner),
          freezeAuthority: null,
        }),
      ),
      createAccountWithSeed(account, BigInt(rent ?? 0), BigInt(TOKEN_ACCOUNT_BYTES)),
      initializeAccount3(address, addressOf(mint), vault),
      ofToken(
        [key(mint.publicKey), key(new PublicKey(address)), key(staker.keypair.publicKey, true)],
        getMintToInstructionDataEncoder().encode({ amount }),
      ),
    ],
  )
}

/** Principal and yield of a built stack. */
export function putInBy(stack: Answer): bigint {
  const quote = stack.body.quote as Body
  return BigInt(Number(quote.amount)) + BigInt(Number(quote.yield))
}

/** Withdraws a position whole with the recovery key, as its owner can once that key is published. */
export async function exitEarly(service: Service, staker: Staker, position: Address): Promise<void> {
  const recovery = await importSigner(keypairOf(service.solana.keys.recovery).secretKey)
  const owner = await importSigner(staker.keypair.secretKey)
  const { blockhash } = await connectionOf(service).getLatestBlockhash()
  const { transaction } = await buildUnstack(recovery, {
    id: crypto.randomUUID(),
    escrow: escrowOf(service, staker),
    position,
    balance: cred((await balanceOf(service, position)) ?? 0n),
    payout: { kind: 'associated' },
    network: { blockhash, computeUnitPrice: 1000n },
  })
  const signed = await signAsOwner(transaction, owner)
  await connectionOf(service).sendRawTransaction(Buffer.from(signed, 'base64'))
}

/** Takes the whole yield of a position with the recovery key, accrued or not, and leaves the principal. */
export async function drainYield(
  service: Service,
  staker: Staker,
  position: Address,
  principal: bigint,
): Promise<void> {
  const recovery = await importSigner(keypairOf(service.solana.keys.recovery).secretKey)
  const owner = await importSigner(staker.keypair.secretKey)
  const { blockhash } = await connectionOf(service).getLatestBlockhash()
  const balance = (await balanceOf(service, position)) ?? 0n
  const { transaction } = await buildClaim(recovery, {
    id: crypto.randomUUID(),
    escrow: escrowOf(service, staker),
    due: [{ position, amount: cred(balance - principal) }],
    payout: { kind: 'associated' },
    network: { blockhash, computeUnitPrice: 1000n },
  })
  const signed = await signAsOwner(transaction, owner)
  await connectionOf(service).sendRawTransaction(Buffer.from(signed, 'base64'))
}

/** Returns the locked value by GET /marketplace/stats. */
export const valueLocked = async (service: Service): Promise<bigint> =>
  BigInt(Number((await service.call('GET', '/marketplace/stats')).body.totalValueLocked))
