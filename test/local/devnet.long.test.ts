import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { base58 } from '@scure/base'
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { buildWorkers } from '../../lib/local/build.ts'
import { type Chain, openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { createClock } from '../../lib/local/clock.ts'
import { useCluster } from '../../lib/local/solana.ts'
import { startWorkers } from '../../lib/local/workers/start.ts'
import { generateCardKeys, generateSessionKeys } from '../../lib/tools/keys/jwks.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import { createDatabase } from '../support/database.ts'
import { keyFile, temporaryFolder } from '../support/key-files.ts'
import { collectLogs } from '../support/logs.ts'
import { clientOf } from '../support/platform.ts'
import { runScript } from '../support/process.ts'
import { rpcError, rpcProxy, rpcResult } from '../support/rpc-proxy.ts'

const ONE = 1_000_000_000

/** A new chain with nothing on it, as a test validator is, and a folder for what the script writes. */
async function freshCluster() {
  const chain = await openChain({ clock: createClock() })
  const server = await serveChain(chain, 0)
  onTestFinished(async () => {
    await server.close()
    await chain.close()
  })
  return { chain, url: server.url, folder: temporaryFolder() }
}

type Cluster = Awaited<ReturnType<typeof freshCluster>>

/** Runs the script to its end. It may print none of the secrets that it has written. */
async function devnet({ url, folder }: Pick<Cluster, 'url' | 'folder'>, args: string[] = []) {
  const files = ['--keys', join(folder, 'keys'), '--env', join(folder, '.env.devnet')]
  const script = runScript('devnet', ['--rpc', url, ...files, ...args])
  const code = await script.ended
  const output = script.output()
  if (code === 0)
    for (const name of [
      'VAULT_AUTHORITY_KEYS',
      'PAYMENTS_AUTHORITY_KEYS',
      'X402_FEE_PAYER_KEY',
      'X402_KEY_SECRET',
    ])
      expect(output).not.toContain(settingsOf(folder)[name])
  return { code, output }
}

const settingsOf = (folder: string) => parseEnv(readFileSync(join(folder, '.env.devnet'), 'utf8'))
const keyOf = (folder: string, name: string) =>
  Keypair.fromSecretKey(
    Uint8Array.from(JSON.parse(readFileSync(join(folder, 'keys', `${name}.json`), 'utf8'))),
  )
const landed = ({ ledger }: Chain, address: string) => ledger.history.of(address as never).length

describe('npm run devnet', () => {
  it('makes keys, mint, treasury and settings, and changes nothing when run again', async () => {
    const cluster = await freshCluster()
    const { chain, folder, url } = cluster
    const first = await devnet(cluster)
    expect(first.code, first.output).toBe(0)
    const names = ['authority', 'recovery', 'mint', 'payments', 'fee-payer', 'payments-recovery']
    const [authority, recovery, mint, payments, feePayer, jobs] = names.map((name) => keyOf(folder, name))
    if (!authority || !recovery || !mint || !payments || !feePayer || !jobs)
      throw new Error('a key is missing')
    expect(settingsOf(folder)).toEqual({
      SOLANA_RPC_URL: url,
      SOLANA_CHAIN: 'solana:localnet',
      VAULT_MINT: mint.publicKey.toBase58(),
      VAULT_AUTHORITY_KEYS: `1:${base58.encode(authority.secretKey)}`,
      VAULT_AUTHORITY_ADDRESSES: `1:${authority.publicKey.toBase58()}`,
      VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}`,
      PAYMENTS_AUTHORITY_KEYS: `1:${base58.encode(payments.secretKey)}`,
      PAYMENTS_AUTHORITY_ADDRESSES: `1:${payments.publicKey.toBase58()}`,
      PAYMENTS_RECOVERY_ADDRESSES: `1:${jobs.publicKey.toBase58()}`,
      X402_FEE_PAYER_KEY: base58.encode(feePayer.secretKey),
      X402_KEY_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(first.output).toContain(`VAULT_MINT='${mint.publicKey}'`)
    expect(first.output).toContain("VAULT_AUTHORITY_KEYS='… (secret; in ")
    for (const name of ['.env.devnet', 'keys/authority.json', 'keys/recovery.json', 'keys/mint.json'])
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)

    const connection = new Connection(url, 'confirmed')
    const state = await connection.getParsedAccountInfo(mint.publicKey)
    expect(state.value?.data).toMatchObject({
      program: 'spl-token',
      parsed: {
        info: {
          decimals: 9,
          supply: `1000000${'0'.repeat(9)}`,
          mintAuthority: authority.publicKey.toBase58(),
          freezeAuthority: null,
        },
      },
    })
    const held = await connection.getParsedTokenAccountsByOwner(authority.publicKey, { mint: mint.publicKey })
    expect(held.value[0]?.account.data.parsed.info.tokenAmount.amount).toBe(`1000000${'0'.repeat(9)}`)
    expect(first.output).toContain(`${held.value[0]?.pubkey} holds 1000000 CRED`)

    appendFileSync(join(folder, '.env.devnet'), "OPERATOR_WALLETS='x'\n")
    const [settings, transactions] = [settingsOf(folder), landed(chain, authority.publicKey.toBase58())]
    const second = await devnet(cluster)
    expect(second.code, second.output).toBe(0)
    expect(second.output).not.toMatch(/\(made\)|minted now|faucet/)
    expect(settingsOf(folder)).toEqual(settings)
    expect(landed(chain, authority.publicKey.toBase58())).toBe(transactions)

    const more = await devnet(cluster, ['--treasury', '1000005'])
    expect(more.output).toContain('holds 1000005 CRED\n           (5 CRED minted now)')
  })

  it('prepares a cluster that the service stakes on and an owner can leave', async () => {
    const cluster = await freshCluster()
    expect(await devnet(cluster)).toMatchObject({ code: 0 })
    const settings = settingsOf(cluster.folder)
    const solana = await useCluster(cluster.url, { ...process.env, ...settings })
    const database = await createDatabase()
    const workers = await startWorkers({
      port: 0,
      clock: createClock(),
      onLog: collectLogs().add,
      bindings: {
        ...(await generateSessionKeys(new Date())),
        ...generateWebhookKeys(),
        ...generateSecretsKey(),
        ...(await generateCardKeys(new Date())),
        DATABASE_URL: 'postgresql://test:test@db.agentcred.internal/test',
        ...solana.bindings,
      },
      rateLimits: false,
      alarms: false,
      workers: await buildWorkers(),
      outbound: (request) => solana.outbound(request) ?? database.handler(request),
    })
    onTestFinished(async () => {
      await workers.stop()
      await database.close()
    })

    const staker = Keypair.generate()
    const connection = new Connection(cluster.url, 'confirmed')
    await connection.requestAirdrop(staker.publicKey, ONE)
    await fetch(cluster.url, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'surfnet_setTokenAccount',
        params: [staker.publicKey.toBase58(), settings.VAULT_MINT, { amount: 100 * ONE }],
      }),
    })
    const options = { origin: 'https://api.agentcred.example' }
    const client = clientOf({ PORT: workers.url.port }, walletFromSecretKey(staker.secretKey), options)
    const terms = await client.call('GET /vault/terms')
    expect(terms).toMatchObject({ mint: settings.VAULT_MINT, treasuryBalance: BigInt(1_000_000 * ONE) })
    const body = { amount: BigInt(100 * ONE), lockDays: 365 } as const
    const built = await client.call('POST /vault/stack', { body })
    const transaction = Transaction.from(Buffer.from(built.transaction, 'base64'))
    transaction.partialSign(staker)
    await connection.sendRawTransaction(transaction.serialize())
    const mint = new PublicKey(String(settings.VAULT_MINT))
    const owned = () => connection.getTokenAccountsByOwner(staker.publicKey, { mint })
    expect((await owned()).value[0]?.account.data.readBigUInt64LE(64)).toBe(0n)

    const leave = runScript('exit', [
      ...['--rpc', cluster.url, '--mint', mint.toBase58(), '--owner', keyFile(staker)],
      ...['--recovery', join(cluster.folder, 'keys', 'recovery.json')],
    ])
    expect(await leave.ended, leave.output()).toBe(0)
    expect((await owned()).value[0]?.account.data.readBigUInt64LE(64)).toBe(116n * BigInt(ONE))
  })

  it('takes existing keys, or only the recovery key’s address, and copies none', async () => {
    const cluster = await freshCluster()
    const [authority, recovery, mint] = [Keypair.generate(), Keypair.generate(), Keypair.generate()]
    const base58File = join(cluster.folder, 'mint.txt')
    writeFileSync(base58File, `${base58.encode(mint.secretKey)}\n`)
    const payments = Keypair.generate()
    const given = [
      '--authority',
      keyFile(authority),
      '--mint',
      base58File,
      '--payments',
      keyFile(payments),
      '--payments-recovery',
      Keypair.generate().publicKey.toBase58(),
      '--fee-payer',
      keyFile(Keypair.generate()),
    ]
    const run = await devnet(cluster, [...given, '--recovery', recovery.publicKey.toBase58()])
    expect(run.code, run.output).toBe(0)
    expect(settingsOf(cluster.folder)).toMatchObject({
      VAULT_MINT: mint.publicKey.toBase58(),
      VAULT_AUTHORITY_KEYS: `1:${base58.encode(authority.secretKey)}`,
      VAULT_AUTHORITY_ADDRESSES: `1:${authority.publicKey.toBase58()}`,
      VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}`,
      PAYMENTS_AUTHORITY_ADDRESSES: `1:${payments.publicKey.toBase58()}`,
    })
    expect(() => statSync(join(cluster.folder, 'keys'))).toThrow('ENOENT')

    const other = await devnet(cluster, ['--mint', base58File])
    expect(other.code).toBe(1)
    expect(other.output).toContain(` is not the mint authority of ${mint.publicKey}: `)
    const same = await devnet(cluster, ['--authority', keyFile(authority), '--recovery', keyFile(authority)])
    expect(same).toMatchObject({ code: 2, output: expect.stringContaining('must differ') })
    const shared = await devnet(cluster, [
      '--authority',
      keyFile(authority),
      '--payments',
      keyFile(authority),
    ])
    expect(shared).toMatchObject({ code: 2, output: expect.stringContaining('--payments and --authority') })
  })

  it('explains how to go on without a faucet, refuses mainnet and invalid arguments', async () => {
    const cluster = await freshCluster()
    const treasury = await devnet(cluster, ['--treasury', '1.5'])
    expect(treasury).toMatchObject({
      code: 2,
      output: expect.stringContaining('--treasury must be whole CRED'),
    })
    const noNode = await devnet({ ...cluster, url: 'http://127.0.0.1:1' })
    expect(noNode).toMatchObject({ code: 1, output: expect.stringContaining('127.0.0.1:1 did not answer') })

    const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
    const mainnet = await rpcProxy(cluster.url, (method) =>
      method === 'getGenesisHash' ? rpcResult(MAINNET) : undefined,
    )
    const refused = await devnet({ ...cluster, url: mainnet })
    expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('--rpc is mainnet') })
    const dry = await rpcProxy(cluster.url, (method) =>
      method === 'requestAirdrop' ? rpcError(429, 'You have reached your airdrop limit') : undefined,
    )
    const short = await devnet({ ...cluster, url: `${dry}/?api-key=hidden` })
    const authority = keyOf(cluster.folder, 'authority').publicKey
    expect(short.code).toBe(1)
    expect(short.output).toContain(`send ${authority} some SOL`)
    expect(short.output).toContain('because: ')
    expect(short.output).toContain('You have reached your airdrop limit')

    const connection = new Connection(cluster.url, 'confirmed')
    await connection.requestAirdrop(authority, ONE)
    // The fee payer of payments for requests needs SOL, too.
    const { output } = await devnet({ ...cluster, url: `${dry}/?api-key=hidden` })
    const [, feePayer = ''] = /send (\w{32,44}) some SOL/.exec(output) ?? []
    await connection.requestAirdrop(new PublicKey(feePayer), ONE)
    const funded = await devnet({ ...cluster, url: `${dry}/?api-key=hidden` })
    expect(funded.code, funded.output).toBe(0)
    expect(short.output + funded.output).not.toContain('hidden')
    expect(settingsOf(cluster.folder).SOLANA_RPC_URL).toBe(`${dry}/?api-key=hidden`)
  })
})
