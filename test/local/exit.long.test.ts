import { base58 } from '@scure/base'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnection } from '../support/connection.ts'
import { keyFile } from '../support/key-files.ts'
import { CLOSED_PORT, runScript } from '../support/process.ts'
import { rpcError, rpcProxy, rpcResult } from '../support/rpc-proxy.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import {
  balanceOf,
  connectionOf,
  createStaker,
  giveCred,
  ONE,
  type Staker,
  travel,
} from '../support/staker.ts'

const recovery = Keypair.generate()
const recoverySecret = base58.encode(recovery.secretKey)
const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
/** Two signatures and the priority fee. */
const SOL_FEE = 10_200n

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'vault', 'jobs'],
    bindings: { VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}` },
  })
})
afterAll(() => service.stop())

/** The script's arguments for this staker; an undefined one is left out. */
function argumentsFor(staker: Staker, changes: Record<string, string | undefined> = {}): string[] {
  const options = {
    rpc: service.solana.url,
    mint: service.solana.bindings.VAULT_MINT,
    owner: keyFile(staker.keypair),
    recovery: keyFile(recovery),
    ...changes,
  }
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
}

/** Runs the exit to its end. No run may print a secret. */
async function exit(args: string[], staker?: Staker) {
  const script = runScript('exit', args)
  const code = await script.ended
  const output = script.output()
  for (const key of [recovery, ...(staker ? [staker.keypair] : [])]) {
    expect(output).not.toContain(base58.encode(key.secretKey))
    expect(output).not.toContain([...key.secretKey.subarray(0, 8)].join(','))
  }
  return { code, output }
}

/** A staker with positions on the chain that the service has already forgotten about. */
async function stakerWith(...stacks: [cred: number, lockDays: number][]) {
  const staker = await createStaker(service)
  const positions: { address: string; escrowed: bigint }[] = []
  for (const [amount, lockDays] of stacks) await staker.relay(await staker.stack(amount * ONE, lockDays))
  for (const { address, escrowed } of (await staker.vault()).body.positions as Body[])
    positions.push({ address: String(address), escrowed: BigInt(Number(escrowed)) })
  return { staker, positions, vault: String((await staker.vault()).body.vaultPda) }
}

/**
 * Sends what the staker (and a new account) signs, by a Connection of its own: one keeps a blockhash for half
 * a minute, and tests let blockhashes expire.
 */
const sendAs = ({ keypair }: Staker, instructions: TransactionInstruction[], others: Keypair[] = []) =>
  sendAndConfirmTransaction(openConnection(service.solana.url), new Transaction().add(...instructions), [
    keypair,
    ...others,
  ])

/** An instruction of the Token program on one account, approved by its owner. */
const tokenInstruction = (account: PublicKey, owner: PublicKey, data: ArrayLike<number>) =>
  new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [
      { pubkey: account, isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: true, isWritable: false },
    ],
    data: Buffer.from(Array.from(data)),
  })

/** SetAuthority, with the numbers of AccountOwner and CloseAccount. */
const setAuthority = (account: PublicKey, owner: PublicKey, type: 2 | 3, to: PublicKey) =>
  tokenInstruction(account, owner, [6, type, 1, ...to.toBytes()])

/** Hands the staker's own token account to a stranger. */
const giveAway = (staker: Staker, account: PublicKey) =>
  sendAs(staker, [setAuthority(account, staker.keypair.publicKey, 2, Keypair.generate().publicKey)])

/** Makes a token account of the vault that only its maker can close. */
async function leaveAccount(maker: Staker, vault: string): Promise<string> {
  const account = Keypair.generate()
  const mint = new PublicKey(service.solana.bindings.VAULT_MINT)
  const [newAccountPubkey, owner] = [account.publicKey, maker.keypair.publicKey]
  const lamports = await connectionOf(service).getMinimumBalanceForRentExemption(165)
  await sendAs(
    maker,
    [
      SystemProgram.createAccount({
        fromPubkey: owner,
        newAccountPubkey,
        lamports,
        space: 165,
        programId: TOKEN_PROGRAM,
      }),
      new TransactionInstruction({
        programId: TOKEN_PROGRAM,
        keys: [
          { pubkey: newAccountPubkey, isSigner: false, isWritable: true },
          { pubkey: mint, isSigner: false, isWritable: false },
        ],
        // InitializeAccount3
        data: Buffer.from([18, ...owner.toBytes()]),
      }),
      setAuthority(newAccountPubkey, owner, 3, owner),
      setAuthority(newAccountPubkey, owner, 2, new PublicKey(vault)),
    ],
    [account],
  )
  return newAccountPubkey.toBase58()
}

/** One base unit from the donor's own token account to any (Transfer). */
async function donate(donor: Staker, destination: PublicKey) {
  const mint = new PublicKey(service.solana.bindings.VAULT_MINT)
  const owned = await connectionOf(service).getTokenAccountsByOwner(donor.keypair.publicKey, { mint })
  const [tokenAccount] = owned.value
  if (!tokenAccount) throw new Error('the donor has no token account')
  await sendAs(donor, [
    new TransactionInstruction({
      programId: TOKEN_PROGRAM,
      keys: [
        { pubkey: tokenAccount.pubkey, isSigner: false, isWritable: true },
        { pubkey: destination, isSigner: false, isWritable: true },
        { pubkey: donor.keypair.publicKey, isSigner: true, isWritable: false },
      ],
      data: Buffer.from([3, 1, 0, 0, 0, 0, 0, 0, 0]),
    }),
  ])
}

/** Leaves the staker without a lamport. */
async function drain(staker: Staker) {
  const { publicKey: fromPubkey } = staker.keypair
  const lamports = (await lamportsOf(staker)) - 5_000n
  const toPubkey = recovery.publicKey
  await sendAs(staker, [SystemProgram.transfer({ fromPubkey, toPubkey, lamports })])
}

const lamportsOf = async (staker: Staker) =>
  BigInt(await connectionOf(service).getBalance(staker.keypair.publicKey))

describe('npm run exit', () => {
  it('withdraws locked positions in full, with yield and rent, without the service', async () => {
    const { staker, positions } = await stakerWith([100, 365], [50, 30])
    expect(positions.map(({ escrowed }) => escrowed)).toEqual([116n * BigInt(ONE), 50_410_958_904n])
    const solBefore = await lamportsOf(staker)
    const rents = await Promise.all(
      positions.map(({ address }) => connectionOf(service).getBalance(new PublicKey(address))),
    )

    const run = { code: 0 as number | null, output: '' }
    const calls = await service.countSql(async () =>
      Object.assign(run, await exit(argumentsFor(staker), staker)),
    )
    expect(run.code, run.output).toBe(0)
    expect(calls).toBe(0)
    for (const { address } of positions) {
      expect(run.output).toMatch(new RegExp(`^withdrawn ${address} .* CRED to `, 'm'))
      expect(await balanceOf(service, address)).toBeUndefined()
    }
    expect(run.output).toContain('166.410958904 CRED withdrawn from 2 positions; 0.00407856 SOL of rent')
    expect(await staker.cred()).toBe(850n * BigInt(ONE) + 166_410_958_904n)
    const rent = rents.reduce((sum, one) => sum + BigInt(one), 0n)
    expect(await lamportsOf(staker)).toBe(solBefore + rent - 2n * SOL_FEE)

    const again = await exit(argumentsFor(staker), staker)
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('there is nothing to withdraw') })
  })

  it('lists in a dry run and moves nothing, then withdraws the one position asked for', async () => {
    const { staker, positions } = await stakerWith([10, 7], [20, 90])
    const [first, second] = positions
    const dry = await exit([...argumentsFor(staker), '--dry-run'], staker)
    expect(dry.code).toBe(0)
    expect(dry.output).toContain(`position  ${first?.address}  10.015342465 CRED`)
    expect(dry.output).toContain('30.607123286 CRED from 2 positions would be withdrawn. Nothing was moved.')
    expect(await balanceOf(service, first?.address)).toBe(first?.escrowed)

    const one = await exit(
      argumentsFor(staker, { position: second?.address, recovery: recoverySecret }),
      staker,
    )
    expect(one.code, one.output).toBe(0)
    expect(await balanceOf(service, first?.address)).toBe(first?.escrowed)
    expect(await balanceOf(service, second?.address)).toBeUndefined()
    const gone = await exit(argumentsFor(staker, { position: second?.address }), staker)
    expect(gone).toMatchObject({ code: 1, output: expect.stringContaining('holds no position at') })
  })

  it('refuses a recovery key that is not the vault’s, and moves nothing', async () => {
    const { staker, positions, vault } = await stakerWith([10, 7])
    const stranger = Keypair.generate()
    const run = await exit(argumentsFor(staker, { recovery: keyFile(stranger) }), staker)
    expect(run.code).toBe(1)
    expect(run.output).toContain(
      `${stranger.publicKey} is not the recovery key of the vault ${vault}, which is ${recovery.publicKey}`,
    )
    expect(await balanceOf(service, positions[0]?.address)).toBe(positions[0]?.escrowed)
  })

  it('withdraws donations too, into a new account if the owner’s was given away', async () => {
    const { staker, positions, vault } = await stakerWith([10, 7])
    await giveCred(service, vault, 3)
    const mint = new PublicKey(service.solana.bindings.VAULT_MINT)
    const [tokenAccount] = (
      await connectionOf(service).getTokenAccountsByOwner(staker.keypair.publicKey, { mint })
    ).value
    if (!tokenAccount) throw new Error('the staker has no token account')
    await giveAway(staker, tokenAccount.pubkey)
    const run = await exit(argumentsFor(staker), staker)
    expect(run.code, run.output).toBe(0)
    expect(run.output).toContain('withdrawn from 2 positions')
    expect(await staker.cred()).toBe((positions[0]?.escrowed ?? 0n) + 3n)
  })

  it('survives a node that fails for a while and drops the transactions it accepted', async () => {
    const { staker, positions } = await stakerWith([10, 7])
    const calls: Record<string, number> = {}
    const url = await rpcProxy(service.solana.url, (method) => {
      const count = (calls[method] ?? 0) + 1
      calls[method] = count
      if (method === 'sendTransaction' && count === 1) return Response.json({ result: 'taken, and lost' })
      if (method === 'getSignatureStatuses' && count === 2) return new Response('busy', { status: 503 })
      if (method === 'getEpochInfo' && count === 3) return rpcError(-32_005, 'Node is behind by 42 slots')
      return undefined
    })
    const run = await exit(argumentsFor(staker, { rpc: url }), staker)
    expect(run.code, run.output).toBe(0)
    expect(calls.sendTransaction).toBe(2)
    expect(await balanceOf(service, positions[0]?.address)).toBeUndefined()
  })

  it('rebuilds when a donation arrives between reading and sending', async () => {
    const { staker, positions } = await stakerWith([10, 7])
    const donor = await createStaker(service)
    let sent = 0
    const url = await rpcProxy(service.solana.url, async (method) => {
      if (method !== 'sendTransaction') return undefined
      sent += 1
      if (sent === 1) await donate(donor, new PublicKey(String(positions[0]?.address)))
      return undefined
    })
    const run = await exit(argumentsFor(staker, { rpc: url }), staker)
    expect(run.code, run.output).toBe(0)
    expect(sent).toBe(2)
    expect(await staker.cred()).toBe(990n * BigInt(ONE) + (positions[0]?.escrowed ?? 0n) + 1n)
  })

  it('rebuilds an expired transaction, and gives up after the third attempt', async () => {
    const { staker, positions } = await stakerWith([10, 7])
    let [sent, late] = [0, 3]
    const url = await rpcProxy(service.solana.url, async (method) => {
      if (method !== 'sendTransaction') return undefined
      sent += 1
      if (sent <= late) await travel(service, 120_000)
      return sent === 1 ? rpcResult('taken, and lost') : undefined
    })
    const tired = await exit(argumentsFor(staker, { rpc: url }), staker)
    expect(tired.code).toBe(1)
    expect(tired.output).toMatch(/^FAILED .*: Transaction simulation failed: Blockhash not found/m)
    expect(await balanceOf(service, positions[0]?.address)).toBe(positions[0]?.escrowed)
    ;[sent, late] = [0, 2]
    const run = await exit(argumentsFor(staker, { rpc: url }), staker)
    expect(run.code, run.output).toBe(0)
    expect(sent).toBe(3)
  })

  it('ignores an account that a stranger left in the vault', async () => {
    const { staker, vault } = await stakerWith([10, 7])
    const stranger = await createStaker(service, 1)
    const bombs = [await leaveAccount(stranger, vault), await leaveAccount(stranger, vault)]
    await donate(stranger, new PublicKey(String(bombs[1])))
    const run = await exit(argumentsFor(staker), staker)
    expect(run.output).toContain('10.015342465 CRED withdrawn from 1 position;')
    expect(run.output).not.toContain(bombs[0])
    expect(run.output).toMatch(new RegExp(`^FAILED +${bombs[1]} .* only ${stranger.owner} can close it`, 'm'))
    expect(run.code).toBe(1)
  })

  it('explains a node without an index of token accounts; takes a position’s address', async () => {
    const { staker, positions } = await stakerWith([10, 7])
    const excluded = 'account excluded from account secondary indexes'
    const url = await rpcProxy(service.solana.url, (method) =>
      method === 'getTokenAccountsByOwner' ? rpcError(-32_010, excluded) : undefined,
    )
    const run = await exit(argumentsFor(staker, { rpc: url }), staker)
    expect(run).toMatchObject({ code: 1, output: expect.stringContaining(excluded) })
    expect(run.output).toContain('--position')
    const position = positions[0]?.address
    const named = await exit(argumentsFor(staker, { rpc: url, position }), staker)
    expect(named.code, named.output).toBe(0)
  })

  it('says what is missing: a vault, SOL for the fee, a mint, a node', async () => {
    const nobody = await createStaker(service, 0)
    const none = await exit(argumentsFor(nobody), nobody)
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining('has no vault of key version 1') })
    const mint = Keypair.generate().publicKey.toBase58()
    const noMint = await exit(argumentsFor(nobody, { mint }), nobody)
    expect(noMint).toMatchObject({ code: 1, output: expect.stringContaining('has no classic Token mint') })
    const rpc = `http://127.0.0.1:${CLOSED_PORT}/?api-key=hidden`
    const noNode = await exit(argumentsFor(nobody, { rpc }), nobody)
    expect(noNode).toMatchObject({ code: 1, output: expect.stringContaining('ECONNREFUSED') })
    expect(noNode.output).not.toContain('hidden')

    const { staker } = await stakerWith([1, 7])
    await drain(staker)
    const poor = await exit(argumentsFor(staker), staker)
    expect(poor.code).toBe(1)
    expect(poor.output).toMatch(
      /^FAILED .* 1\.\d+ CRED: the owner's wallet has 0 SOL but needs 0\.0000102 SOL/m,
    )
  })

  it('names the argument that is missing or invalid, without its value', async () => {
    const staker = await createStaker(service, 0)
    for (const [changes, message] of [
      [{ recovery: undefined }, '--recovery is missing'],
      [{ mint: recoverySecret }, '--mint must be an address'],
    ] as const) {
      const run = await exit(argumentsFor(staker, changes), staker)
      expect(run, message).toMatchObject({ code: 2, output: expect.stringContaining(message) })
    }
  })
})
