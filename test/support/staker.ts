import { base58 } from '@scure/base'
import { type Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { openConnection } from './connection.ts'
import type { Answer, Body, Call, Service } from './service.ts'
import { verifyBuilt } from './verified.ts'
import { createWallet as createBrowserWallet, PHANTOM, type WalletHabits } from './wallets.ts'

const WALLET_FIRST = { signing: 'wallet_first' }

export const DAY = 86_400_000
/** One CRED, and one SOL, in base units. */
export const ONE = 1_000_000_000

/** Asks the chain behind a service, past the socket, which would cost more than most answers. */
async function ask({ solana }: Service, init?: RequestInit): Promise<Response> {
  const answer = solana.outbound(new Request(solana.bindings.SOLANA_RPC_URL, init))
  if (answer === undefined) throw new Error('no chain')
  return answer
}

const connections = new WeakMap<Service, Connection>()

/** The chain behind a service, as a wallet's software sees it. */
export function connectionOf(service: Service): Connection {
  const known = connections.get(service)
  if (known) return known
  const connection = openConnection(service.solana.url, (_, init) => ask(service, init as RequestInit))
  connections.set(service, connection)
  return connection
}

/** Calls the chain's JSON-RPC past web3.js: for its cheat codes. */
export async function rpc(service: Service, method: string, params: unknown[]): Promise<unknown> {
  const response = await ask(service, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** Moves chain and Workers forward, as a user of the local platform would. */
export async function travel(service: Service, ms: number): Promise<void> {
  const absoluteTimestamp = Math.ceil(service.clock.now() + ms)
  await rpc(service, 'surfnet_timeTravel', [{ absoluteTimestamp }]).catch((error: Error) => {
    // If a test was delayed, its time may have passed already.
    if (ms < 0 || !error.message.includes('Cannot travel to the past')) throw error
  })
}

/** Moves both to the next noon, so that no day ends while a test counts on it. */
export const travelToNoon = (service: Service) => {
  const sinceNoon = (service.clock.now() + DAY / 2) % DAY
  return travel(service, DAY - sinceNoon)
}

/** Sets what a wallet's own token account holds. */
export const giveCred = (service: Service, owner: string, amount: bigint | number) =>
  rpc(service, 'surfnet_setTokenAccount', [
    owner,
    service.solana.bindings.VAULT_MINT,
    { amount: Number(amount) },
  ])

export type Staker = Awaited<ReturnType<typeof createStaker>>

/** A wallet with SOL and CRED that signs what the service builds with an unmodified @solana/web3.js. */
export async function createStaker(
  service: Service,
  cred: bigint | number = 1000n * BigInt(ONE),
  keypair = Keypair.generate(),
) {
  const connection = connectionOf(service)
  const owner = keypair.publicKey.toBase58()
  await connection.requestAirdrop(keypair.publicKey, 10 * ONE)
  if (BigInt(cred) > 0n) await giveCred(service, owner, cred)
  const wallet = walletFromSecretKey(keypair.secretKey)
  let session = await service.signIn(wallet)
  const call: Call = (...args) => session.call(...args)
  const sign = (answer: Answer | Body): string => {
    const body = ('body' in answer ? answer.body : answer) as Body
    const transaction = Transaction.from(Buffer.from(String(body.transaction), 'base64'))
    transaction.partialSign(keypair)
    // The relay must reject a transaction that the service has not signed.
    return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
  }
  /** Signs as a wallet does that signs first, with its habits. */
  const signFirst = (answer: Answer, habits: WalletHabits = PHANTOM): string =>
    createBrowserWallet(keypair, habits).sign(String(answer.body.transaction))
  const post = async (path: string, body?: Body) => {
    const answer = await call('POST', `/vault/${path}`, body === undefined ? {} : { body })
    await verifyBuilt(service, owner, `/vault/${path}`, body ?? {}, answer)
    return answer
  }
  return {
    owner,
    keypair,
    call,
    sign,
    /** A session outlives no time travel of a day. */
    async signInAgain() {
      session = await service.signIn(wallet)
    },
    signFirst,
    stack: (amount: number, lockDays = 30) => post('stack', { amount, lockDays }),
    claim: (positionId?: number) => post('claim', positionId === undefined ? {} : { positionId }),
    unstack: (positionId: number) => post('unstack', { positionId }),
    /** Operations that build transactions for the wallet to sign first. */
    first: {
      stack: (amount: number, lockDays = 30) => post('stack', { amount, lockDays, ...WALLET_FIRST }),
      claim: (positionId?: number) => post('claim', { positionId, ...WALLET_FIRST }),
      unstack: (positionId: number) => post('unstack', { positionId, ...WALLET_FIRST }),
      leftovers: (positionId: number) => post('leftovers', { positionId, ...WALLET_FIRST }),
    },
    /** Signs first, and has the service cosign and send it. */
    relayFirst: (answer: Answer, habits?: WalletHabits) =>
      post('transactions', { id: answer.body.id, transaction: signFirst(answer, habits) }),
    /** Has the service send what was signed. */
    relaySigned: (answer: Answer, transaction: string) =>
      post('transactions', { id: answer.body.id, transaction }),
    /** Signs and sends through the service. */
    relay: (answer: Answer) => post('transactions', { id: answer.body.id, transaction: sign(answer) }),
    /** Signs and sends to the network, past the service. */
    send: (answer: Answer) => connection.sendRawTransaction(Buffer.from(sign(answer), 'base64')),
    status: async (answer: Answer) => (await call('GET', `/vault/transactions/${answer.body.id}`)).body,
    /** The vault as the service shows it, once a lease for asking the chain is free. */
    async vault(): Promise<Answer> {
      await travel(service, 2_001)
      return service.call('GET', `/vault?owner=${owner}`)
    },
    /** What the wallet's own token account holds. */
    async cred(): Promise<bigint> {
      const mint = new PublicKey(service.solana.bindings.VAULT_MINT)
      const { value } = await connection.getTokenAccountsByOwner(keypair.publicKey, { mint })
      return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n)
    },
  }
}

/** What a position's account holds on the chain; undefined when it is gone. */
export async function balanceOf(service: Service, address: unknown): Promise<bigint | undefined> {
  const account = await connectionOf(service).getAccountInfo(new PublicKey(String(address)))
  return account?.data.readBigUInt64LE(64)
}

/** The authority, or the recovery key, which the tests may use as nobody else can. */
export const keypairOf = (secret: string): Keypair => Keypair.fromSecretKey(base58.decode(secret))
