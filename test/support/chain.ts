import { type Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import type { Instruction } from '../../lib/solana/instruction.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { memo } from '../../lib/solana/programs/memo.ts'
import { transferChecked } from '../../lib/solana/programs/token.ts'
import type { Answer, Body, Service } from './service.ts'
import { balanceOf, connectionOf, rpc, type Staker, travel } from './staker.ts'

/** How far finality trails: 32 slots of 400 ms. */
export const FINALITY_MS = 12_800

/**
 * A little more than the 150 blocks of 400 ms for which a built transaction can land, and the time after
 * which it is final that it has not.
 */
export const LIFETIME_MS = 62_000 + FINALITY_MS

/** What a chain asks an account without data to hold, so the least that can be sent to a new address. */
export const LEAST_LAMPORTS = 890_880

export const addressOf = ({ publicKey }: Keypair): Address => parseAddress(publicKey.toBase58())

export const mintOf = ({ solana }: Service): Address => parseAddress(solana.bindings.VAULT_MINT)

/** Where wallets keep an owner's CRED. */
export const ownerTokensOf = (service: Service, owner: string): Promise<Address> =>
  associatedTokenAddress(parseAddress(owner), mintOf(service))

/**
 * Sends instructions of anyone's, signed by these keys, the first of which pays. A memo makes each
 * transaction another: the same twice within a block would land once.
 * @throws SendTransactionError when the chain refuses them
 */
export async function perform(
  service: Service,
  signers: Keypair[],
  instructions: (Instruction | TransactionInstruction)[],
): Promise<string> {
  const connection = connectionOf(service)
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const [payer] = signers
  if (!payer) throw new Error('somebody has to pay')
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight })
  const unique = memo(crypto.randomUUID(), addressOf(payer))
  transaction.add(
    ...[...instructions, unique].map((one) => (one instanceof TransactionInstruction ? one : toWeb3(one))),
  )
  transaction.sign(...signers)
  return connection.sendRawTransaction(transaction.serialize())
}

const toWeb3 = ({ program, accounts, data }: Instruction): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    data: Buffer.from(data),
    keys: accounts.map(({ address, isSigner, isWritable }) => ({
      pubkey: new PublicKey(address),
      isSigner,
      isWritable,
    })),
  })

/** Sends a wallet's CRED to any token account. */
export async function donate(service: Service, from: Staker, to: Address, amount: bigint): Promise<void> {
  const source = await ownerTokensOf(service, from.owner)
  const transfer = { source, destination: to, mint: mintOf(service), amount, decimals: 9 }
  await perform(service, [from.keypair], [transferChecked(transfer, { owner: parseAddress(from.owner) })])
}

/** Runs SQL on the service's database; every value as text. */
export async function rowsOf(
  service: Service,
  query: string,
  ...params: string[]
): Promise<(string | null)[][]> {
  const [result] = await service.database.engine.run([{ query, params }])
  return result?.rows ?? []
}

/** The accounts of positions that a built transaction fills, pays from or empties. */
export async function positionsIn(service: Service, built: Answer): Promise<Address[]> {
  const rows = await rowsOf(
    service,
    'select address from vault_intent_legs where intent_id = $1 order by address',
    String(built.body.id),
  )
  return rows.map(([address]) => parseAddress(address ?? ''))
}

/** The fate of a built transaction, once settlement knows it. */
export async function fateOf(service: Service, staker: Staker, built: Answer): Promise<Body> {
  for (let attempts = 0; attempts < 4; attempts += 1) {
    await travel(service, 2_001)
    const status = await staker.status(built)
    if (status.status !== 'open') return status
  }
  return staker.status(built)
}

/** The positions that GET /vault shows, after settlement. */
export const positionsOf = async (staker: Staker): Promise<Body[]> =>
  ((await staker.vault()).body.positions ?? []) as Body[]

/** What an account of CRED holds; 0 when it is not there. */
export const credIn = async (service: Service, address: string): Promise<bigint> =>
  (await balanceOf(service, address)) ?? 0n

export const treasuryOf = async (service: Service): Promise<{ authority: string; treasury: string }> => {
  const { body } = await service.call('GET', '/vault/terms')
  return { authority: String(body.authority), treasury: String(body.treasury) }
}

/** All CRED there is. */
export async function supplyOf(service: Service): Promise<bigint> {
  const options = { commitment: 'confirmed' }
  const supply = await rpc(service, 'getTokenSupply', [mintOf(service), options])
  const { value } = supply as { value: { amount: string } }
  return BigInt(value.amount)
}

/** A getMultipleAccounts call asks for no more. */
const MAX_ACCOUNTS = 100

/** Returns the CRED in token accounts; 0 for an account that does not exist or is of another mint. */
export async function tokensIn(service: Service, addresses: Address[]): Promise<bigint[]> {
  const connection = connectionOf(service)
  const mint = new PublicKey(mintOf(service)).toBuffer()
  const balances: bigint[] = []
  for (let start = 0; start < addresses.length; start += MAX_ACCOUNTS) {
    const keys = addresses.slice(start, start + MAX_ACCOUNTS).map((address) => new PublicKey(address))
    const accounts = await connection.getMultipleAccountsInfo(keys)
    balances.push(
      ...accounts.map((account) =>
        account && mint.equals(account.data.subarray(0, 32)) ? account.data.readBigUInt64LE(64) : 0n,
      ),
    )
  }
  return balances
}
