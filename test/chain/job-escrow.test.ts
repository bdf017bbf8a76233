import { Keypair } from '@solana/web3.js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importSigner, type Signer } from '../../lib/keys/signer.ts'
import { TOKEN_PROGRAMS } from '../../lib/local/chain/svm.ts'
import { buildCollector, collectorAccount } from '../../lib/payments/chain/collector.ts'
import { escrowState, newEscrow, refundAccount, refundState } from '../../lib/payments/chain/job-accounts.ts'
import {
  buildFittingJobCollection,
  buildJobClose,
  buildJobCollection,
  buildJobFunding,
  buildJobRefund,
  buildOpenRefundAccount,
  MAX_CLOSED,
  MAX_JOB_LEGS,
} from '../../lib/payments/chain/job-transactions.ts'
import type { Address } from '../../lib/solana/address.ts'
import { transferChecked } from '../../lib/solana/programs/token.ts'
import { checkWalletFirst, completeTransaction } from '../../lib/transactions/cosigning/check.ts'
import type { Built } from '../../lib/transactions/cosigning/envelope.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import { createSecretKey, createSigner, signAll } from '../support/keys.ts'
import { createLedger, type Ledger } from '../support/ledger.ts'
import { createWallet, PHANTOM } from '../support/wallets.ts'

const JOB = '01938f50-6a7f-7b8c-9d0e-2f3a4b5c6d7e'
/** The largest amount, whose digits take the most room. */
const MOST = cred(9_007_199_254_740_991n)
const PRICE = cred(100n)

describe.each(TOKEN_PROGRAMS)('escrows of jobs on %s', (tokenProgram) => {
  let ledger: Ledger
  let authority: Signer
  let recovery: Signer
  let hirer: Signer
  let owner: Signer
  let ownerKey: Uint8Array
  let treasury: Address
  let hirerTokens: Address
  let ownerTokens: Address
  let refund: Address
  let collector: Address

  beforeAll(async () => {
    ledger = await createLedger(tokenProgram)
    authority = await createSigner()
    recovery = await createSigner()
    treasury = await ledger.setTokens((await createSigner()).address, 0n)
  })

  const keys = () => ({ keyVersion: 1, authority: authority.address, recovery: recovery.address })
  const network = () => ({ blockhash: ledger.blockhash(), computeUnitPrice: 1000n })
  const rents = () => ({ multisig: ledger.rentOf(355), tokenAccount: ledger.rentOf(165) })
  const common = () => ({ id: crypto.randomUUID(), mint: ledger.mint, network: network(), keys: keys() })
  const balanceOf = (address: Address) => ledger.tokensIn(address)

  async function send({ transaction }: Built, ...signers: Signer[]) {
    const slots = signers.map(({ address }) => address)
    return ledger.send(await signAll(transaction, slots, signers))
  }
  async function land(built: Built, ...signers: Signer[]) {
    expect((await send(built, ...signers)).error).toBeUndefined()
  }

  beforeEach(async () => {
    hirer = await createSigner()
    ownerKey = createSecretKey()
    owner = await importSigner(ownerKey)
    for (const { address } of [hirer, owner]) ledger.airdrop(address)
    hirerTokens = await ledger.setTokens(hirer.address, 1_000_000n)
    ownerTokens = await ledger.setTokens(owner.address, 0n)
    refund = (await refundAccount(hirer.address, 1)).address
    collector = (await collectorAccount(owner.address, 1)).address
    const at = { id: crypto.randomUUID(), rents: rents(), held: 0n }
    await land(
      await buildOpenRefundAccount({ hirer: hirer.address, keys: keys() }, { ...at, network: network() }),
      hirer,
    )
    await land(
      await buildCollector({ owner: owner.address, keys: keys() }, { ...at, network: network() }),
      owner,
    )
  })

  const fundingOf = async (price: Cred) => {
    const escrow = await newEscrow(hirer.address)
    const parties = { jobId: JOB, hirer: hirer.address, owner: owner.address }
    const built = await buildJobFunding({
      ...{ ...common(), ...parties, escrow, price, termsHash: 'ab'.repeat(32), rents: rents() },
    })
    return { escrow: escrow.address, built }
  }
  async function fund(price: Cred = PRICE): Promise<Address> {
    const { escrow, built } = await fundingOf(price)
    await land(built, hirer, authority)
    return escrow
  }
  const refundOf = async (
    escrow: Address,
    { amount, guard, isFresh }: { amount: bigint; guard?: bigint; isFresh?: boolean },
  ) =>
    buildJobRefund({
      ...{ ...common(), jobId: JOB, hirer: hirer.address, escrow, amount: cred(amount), rents: rents() },
      guard: guard === undefined ? undefined : cred(guard),
      fresh: isFresh ? await newEscrow(hirer.address) : undefined,
    })
  const payoutOf = (
    legs: { escrow: Address; amount: bigint; guard?: bigint }[],
    state: 'open' | 'absent' = 'open',
  ) =>
    buildJobCollection({
      ...{ ...common(), owner: owner.address, treasury, ownerTokens: state },
      legs: legs.map(({ escrow, amount, guard }) => ({
        ...{ escrow, amount: cred(amount), fee: cred(amount / 100n) },
        guard: guard === undefined ? undefined : cred(guard),
      })),
    })
  const gift = (escrow: Address, amount: bigint) =>
    ledger.run(
      [hirer],
      [
        transferChecked(
          { source: hirerTokens, mint: ledger.mint, destination: escrow, amount, decimals: 9 },
          { owner: hirer.address },
        ),
      ],
    )

  it('hold the price for both sides after a funding', async () => {
    const escrow = await fund()
    const state = escrowState(ledger.account(escrow), { mint: ledger.mint, refund, collector })
    expect(state).toEqual({ kind: 'open', balance: PRICE, allowance: PRICE, isFrozen: false })
    expect(refundState(ledger.account(refund), { hirer: hirer.address, keys: keys() })).toBe('open')
    expect(refundState(ledger.account(collector), { hirer: hirer.address, keys: keys() })).toBe('foreign')
    const other = { mint: ledger.mint, refund: collector, collector }
    expect(escrowState(ledger.account(escrow), other)).toEqual({ kind: 'foreign' })
  })

  it('pay the agents’ owner from as many as fit, less the fee', async () => {
    for (const guarded of [false, true]) {
      const before = balanceOf(ownerTokens)
      const count = guarded ? MAX_JOB_LEGS - 1 : MAX_JOB_LEGS
      const escrows: Address[] = []
      while (escrows.length < count) escrows.push(await fund(cred(10_000n)))
      const legs = escrows.map((escrow) =>
        guarded ? { escrow, amount: 4_000n, guard: 10_000n } : { escrow, amount: 10_000n },
      )
      await land(await payoutOf(legs), owner, authority)
      expect(balanceOf(ownerTokens) - before).toBe(BigInt(count) * (guarded ? 3_960n : 9_900n))
      expect(escrows.map(balanceOf)).toEqual(escrows.map(() => (guarded ? 6_000n : 0n)))
      const more = { amount: 100n, ...(guarded ? { guard: 101n } : {}), escrow: await fund() }
      await expect(payoutOf([...legs, more])).rejects.toThrow('exceed')
    }
  })

  // `-` pays in full, `g` is guarded, since the hirer has money due, too.
  const mixtures = ['------', 'g-----', '-----g', 'gg----', '----gg', 'ggg---', '---ggg', 'gggg--', 'ggggg-']
  it.each(
    [...mixtures, '-ggggg', 'gggggg'].flatMap((kinds) => [
      [kinds, 'open'] as const,
      [kinds, 'absent'] as const,
    ]),
  )('pay from as many of %s as fit with a wallet’s guards, account %s', async (kinds, state) => {
    const price = cred(MOST / 7n)
    await ledger.setTokens(hirer.address, price * 6n)
    const legs = []
    for (const kind of kinds)
      legs.push({
        ...{ escrow: await fund(price), fee: cred(100_000_000_000_001n) },
        ...(kind === 'g' ? { amount: cred(price - 1n), guard: price } : { amount: price, guard: undefined }),
      })
    if (state === 'absent') ledger.setLamports(ownerTokens, 0n)
    const collection = { ...common(), owner: owner.address, treasury, ownerTokens: state }
    const { built, count } = await buildFittingJobCollection({ ...collection, legs })
    const most = state === 'open' ? MAX_JOB_LEGS : MAX_JOB_LEGS - 1
    const guarded = [...kinds.slice(0, most)].filter((kind) => kind === 'g').length
    expect(count).toBe(guarded > 1 ? most - 1 : most)
    const taken = legs.slice(0, count)
    const wallet = createWallet(Keypair.fromSecretKey(ownerKey), PHANTOM)
    const parties = {
      own: [ledger.mint, collector],
      others: [treasury, ...taken.map(({ escrow }) => escrow)],
    }
    const check = await checkWalletFirst(built.transaction, wallet.sign(built.transaction), parties)
    if (!check.ok) throw new Error(check.error)
    const cosignature = await authority.sign(check.message)
    expect(ledger.send(completeTransaction(check.message, check.ownerSignature, cosignature)).error).toBe(
      undefined,
    )
    expect(balanceOf(ownerTokens)).toBe(taken.reduce((sum, { amount, fee }) => sum + amount - fee, 0n))
    expect(taken.map(({ escrow }) => balanceOf(escrow))).toEqual(taken.map(({ guard }) => (guard ? 1n : 0n)))
  })

  it('fit the longest amounts into one transaction', async () => {
    const escrow = await fund()
    const absent = (count: number, guard?: bigint) =>
      payoutOf(
        Array.from({ length: count }, () => ({ escrow, amount: MOST, ...(guard ? { guard } : {}) })),
        'absent',
      )
    await absent(MAX_JOB_LEGS - 1)
    await absent(MAX_JOB_LEGS - 2, MOST)
    await refundOf(escrow, { amount: MOST, guard: MOST, isFresh: true })
    await expect(fundingOf(MOST)).resolves.toBeDefined()
    const escrows = await Promise.all(Array.from({ length: MAX_CLOSED }, () => newEscrow(hirer.address)))
    buildJobClose({ ...common(), hirer: hirer.address, escrows: escrows.map(({ address }) => address) })
  })

  it('pay all back and are closed', async () => {
    const escrow = await fund()
    const before = ledger.lamportsOf(hirer.address)
    await land(await refundOf(escrow, { amount: 100n }), hirer, authority)
    expect(balanceOf(hirerTokens)).toBe(1_000_000n)
    expect(ledger.account(escrow)).toBeUndefined()
    expect(ledger.lamportsOf(hirer.address) - before).toBeGreaterThan(ledger.rentOf(165) - 20_000n)
  })

  it('pay back into a fresh account when the hirer’s own one is frozen', async () => {
    const escrow = await fund()
    ledger.setFrozen(hirerTokens, true)
    const failed = await send(await refundOf(escrow, { amount: 60n, guard: 100n }), hirer, authority)
    expect(failed.error).toContain('Custom(17)')
    await land(await refundOf(escrow, { amount: 60n, guard: 100n, isFresh: true }), hirer, authority)
    expect(balanceOf(escrow)).toBe(40n)
  })

  it('refuse the second of two guarded payments, which is built again', async () => {
    const escrow = await fund()
    const [back, pay] = [
      await refundOf(escrow, { amount: 60n, guard: 100n }),
      await payoutOf([{ escrow, amount: 40n, guard: 100n }]),
    ]
    // LiteSVM takes only its newest blockhash, so both are signed under one.
    expect((await send(pay, owner, authority)).error).toBeUndefined()
    expect((await send(await refundOf(escrow, { amount: 60n, guard: 100n }), hirer, authority)).error).toBe(
      'InstructionError(3, Custom(1))',
    )
    expect(back.transaction).not.toBe(pay.transaction)
    await land(await refundOf(escrow, { amount: 60n }), hirer, authority)
    expect(ledger.account(escrow)).toBeUndefined()
  })

  it('give nothing twice, whatever is sent to them', async () => {
    const escrow = await fund()
    await land(await payoutOf([{ escrow, amount: 40n, guard: 100n }]), owner, authority)
    await gift(escrow, 39n)
    const second = await send(await payoutOf([{ escrow, amount: 40n, guard: 100n }]), owner, authority)
    expect(second.error).toContain('Custom(1)')
    expect(balanceOf(escrow)).toBe(99n)
  })

  it('pay all back and stay open when somebody sends tokens before each closing', async () => {
    const escrow = await fund()
    await gift(escrow, 1n)
    expect((await send(await refundOf(escrow, { amount: 100n }), hirer, authority)).error).toContain(
      'Custom(11)',
    )
    await gift(escrow, 2n)
    await land(await refundOf(escrow, { amount: 101n, guard: 101n }), hirer, authority)
    expect(balanceOf(escrow)).toBe(2n)
    await land(await refundOf(escrow, { amount: 2n }), hirer, authority)
    expect(balanceOf(hirerTokens)).toBe(1_000_000n)
    expect(ledger.account(escrow)).toBeUndefined()
  })

  it('are closed by the hirer alone when they are empty', async () => {
    const escrows = [await fund(), await fund()]
    const close = () => buildJobClose({ ...common(), hirer: hirer.address, escrows })
    expect((await send(close(), hirer)).error).toContain('Custom(11)')
    await land(await payoutOf(escrows.map((escrow) => ({ escrow, amount: 100n }))), owner, authority)
    await land(close(), hirer)
    for (const escrow of escrows) expect(ledger.account(escrow)).toBeUndefined()
  })
})
