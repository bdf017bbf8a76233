import { base58 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createAddressWithSeed,
  createKeyPairFromBytes,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { parseAddress } from '../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { vaultAccount } from '../../lib/vault/addresses.ts'
import { buildStack } from '../../lib/vault/escrow/stack.ts'
import { keyringOf } from '../../lib/vault/keyring.ts'
import { cred, lamports } from '../../schema/amounts.ts'
import { drawBytes } from '../support/random.ts'
import { median } from './harness/load.ts'
import { amount } from './harness/quick.ts'

/**
 * A process that builds the transaction of a wallet's first stack in three ways: derives its addresses,
 * compiles, signs for the authority, and encodes it. The peers are given our instructions' data ready made.
 */

export type TransactionsInput = { settings: Record<string, string> }
/** CPU of one transaction, in milliseconds. */
export type BuildCosts = { ours: number; kit: number; web3: number }

const { settings }: TransactionsInput = JSON.parse(process.argv[2] ?? '{}')
const keyring = await keyringOf({
  mint: settings.VAULT_MINT ?? '',
  authorityKeys: settings.VAULT_AUTHORITY_KEYS ?? '',
  authorityAddresses: settings.VAULT_AUTHORITY_ADDRESSES ?? '',
  recoveryAddresses: settings.VAULT_RECOVERY_ADDRESSES ?? '',
})
const { mint, current } = keyring
const secret = base58.decode((settings.VAULT_AUTHORITY_KEYS ?? '').replace(/^1:/, ''))
const owners = Array.from({ length: 50 }, () => Keypair.fromSeed(drawBytes(32)).publicKey.toBase58())
const positionSeed = '0123456789abcdef0123456789abcdef'
const vaultSeed = `agentcred-vault:${current.keyVersion}`
const blockhash = Keypair.fromSeed(drawBytes(32)).publicKey.toBase58()

const oursFor = (owner: string) =>
  buildStack(current.signer, {
    id: '01938f3e-0000-7000-8000-000000000000',
    escrow: { owner: parseAddress(owner), mint, keys: current },
    terms: { amount: cred(1_000_000_000n), lockDays: 30, apyBps: 800, stakedAt: new Date(0) },
    positionSeed,
    vault: { kind: 'absent', lamports: lamports(0n) },
    rents: { multisig: lamports(3_361_680n), tokenAccount: lamports(2_039_280n) },
    network: { blockhash, computeUnitPrice: 1000n },
  })

/** Our transaction for one owner, its accounts by the part they play. */
const [model = ''] = owners
const built = await oursFor(model)
const roles = new Map<string, Role>([
  [model, 'owner'],
  [(await vaultAccount({ owner: parseAddress(model), keys: current })).address, 'vault'],
  [built.position, 'position'],
  [await associatedTokenAddress(parseAddress(model), mint), 'ownerTokens'],
  [await associatedTokenAddress(current.authority, mint), 'treasury'],
])
type Role = 'owner' | 'vault' | 'position' | 'ownerTokens' | 'treasury'
const templates = Transaction.from(Buffer.from(built.transaction, 'base64')).instructions.map(
  ({ programId, keys, data }) => ({
    program: programId.toBase58(),
    data,
    keys: keys.map(({ pubkey, isSigner, isWritable }) => ({
      role: roles.get(pubkey.toBase58()),
      address: pubkey.toBase58(),
      isSigner,
      isWritable,
    })),
  }),
)

const TOKEN = new PublicKey(TOKEN_PROGRAM)
const ASSOCIATED = new PublicKey(ASSOCIATED_TOKEN_PROGRAM)
const web3Mint = new PublicKey(mint)
const web3Authority = Keypair.fromSecretKey(secret)

async function web3For(ownerText: string): Promise<string> {
  const owner = new PublicKey(ownerText)
  const tokensOf = (of: PublicKey) =>
    PublicKey.findProgramAddressSync([of.toBuffer(), TOKEN.toBuffer(), web3Mint.toBuffer()], ASSOCIATED)[0]
  const addresses: Record<Role, PublicKey> = {
    owner,
    vault: await PublicKey.createWithSeed(owner, vaultSeed, TOKEN),
    position: await PublicKey.createWithSeed(owner, positionSeed, TOKEN),
    ownerTokens: tokensOf(owner),
    treasury: tokensOf(web3Authority.publicKey),
  }
  const transaction = new Transaction({ feePayer: owner, blockhash, lastValidBlockHeight: 1 })
  for (const { program, keys, data } of templates) {
    const metas = keys.map(({ role, address, isSigner, isWritable }) => ({
      pubkey: role ? addresses[role] : new PublicKey(address),
      isSigner,
      isWritable,
    }))
    transaction.add(new TransactionInstruction({ programId: new PublicKey(program), keys: metas, data }))
  }
  transaction.partialSign(web3Authority)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

const kitAuthority = await createKeyPairFromBytes(secret)
const encode = getAddressEncoder()
const kitToken = address(TOKEN_PROGRAM)
const kitMint = address(mint)

async function kitFor(ownerText: string): Promise<string> {
  const owner = address(ownerText)
  const tokensOf = async (of: typeof owner) => {
    const seeds = [of, kitToken, kitMint].map((seed) => encode.encode(seed))
    const [found] = await getProgramDerivedAddress({
      programAddress: address(ASSOCIATED_TOKEN_PROGRAM),
      seeds,
    })
    return found
  }
  const seeded = (seed: string) =>
    createAddressWithSeed({ baseAddress: owner, programAddress: kitToken, seed })
  const addresses: Record<Role, typeof owner> = {
    owner,
    vault: await seeded(vaultSeed),
    position: await seeded(positionSeed),
    ownerTokens: await tokensOf(owner),
    treasury: await tokensOf(address(current.authority)),
  }
  const instructions = templates.map(
    ({ program, keys, data }): Instruction => ({
      programAddress: address(program),
      accounts: keys.map(({ role, address: fixed, isSigner, isWritable }) => ({
        address: role ? addresses[role] : address(fixed),
        role: ROLES[isSigner ? 'signer' : 'none'][isWritable ? 'writable' : 'readonly'],
      })),
      data: new Uint8Array(data),
    }),
  )
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(owner, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 1n },
        m,
      ),
    (m) => appendTransactionMessageInstructions(instructions, m),
  )
  const signed = await partiallySignTransaction([kitAuthority], compileTransaction(message))
  return getBase64EncodedWireTransaction(signed)
}

const ROLES = {
  signer: { writable: AccountRole.WRITABLE_SIGNER, readonly: AccountRole.READONLY_SIGNER },
  none: { writable: AccountRole.WRITABLE, readonly: AccountRole.READONLY },
}

// All three are the same transaction, byte for byte.
for (const other of [await web3For(model), await kitFor(model)]) {
  if (other !== built.transaction) throw new Error('a peer builds another transaction')
}

const BUILDS = amount(400, 20)
const builders = { ours: oursFor, kit: kitFor, web3: web3For }
const costs = { ours: [] as number[], kit: [] as number[], web3: [] as number[] }
const names = ['ours', 'kit', 'web3'] as const
// The first round warms up.
for (let round = 0; round < 6; round++) {
  for (const name of names) {
    const before = process.cpuUsage()
    for (let i = 0; i < BUILDS; i++) await builders[name](owners[i % owners.length] ?? model)
    const { user, system } = process.cpuUsage(before)
    if (round > 0) costs[name].push((user + system) / 1000 / BUILDS)
  }
}
process.send?.({
  ours: median(costs.ours),
  kit: median(costs.kit),
  web3: median(costs.web3),
} satisfies BuildCosts)
process.disconnect?.()
