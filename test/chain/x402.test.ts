import { type Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../lib/clock/jobs.ts'
import { LEASE_MS, RECHECK_AFTER_MS } from '../../lib/x402/rules.ts'
import { connectDatabase } from '../support/database.ts'
import { AMOUNT, DEBIT } from '../support/request-payments.ts'
import { feePayer, keyOf, NETWORK, owner, payer, stranger } from '../support/x402.ts'
import { call } from './support.ts'
import { startFacilitator, without } from './x402-support.ts'

/* The facilitator on the real token program and the real Postgres, paid by the published client. */

let database: Awaited<ReturnType<typeof connectDatabase>>
beforeAll(async () => {
  database = await connectDatabase()
})
afterAll(() => database.close())

type Scene = Awaited<ReturnType<typeof open>>
let scene: Scene
beforeEach(async () => {
  // Payments of other tests in flight are on other chains.
  await database.db.$client.query('delete from request_payments')
  scene = await open()
})

/** The payer with tokens, and an agent to pay. */
async function open() {
  const facilitator = await startFacilitator(database.db)
  await facilitator.setTokens(keyOf(payer), AMOUNT * 100n)
  return { ...facilitator, ...(await facilitator.addAgent(owner)) }
}

const SLOT_MS = 400

describe('a payment of the published client', () => {
  it('is valid, is settled once, and moves the tokens', async () => {
    const payload = await scene.sign()
    const before = await scene.connection.getBalance(feePayer.publicKey)
    expect(await scene.verify(payload)).toEqual({ isValid: true, payer: keyOf(payer) })
    const settled = await scene.settle(payload)
    expect(settled).toEqual({
      success: true,
      payer: keyOf(payer),
      network: NETWORK,
      transaction: expect.any(String),
    })
    const status = await scene.connection.getSignatureStatus(settled.transaction)
    expect(status.value).toMatchObject({ err: null })
    expect([await scene.tokens(keyOf(payer)), await scene.tokens(keyOf(owner))]).toEqual([
      AMOUNT * 99n,
      AMOUNT,
    ])
    expect(before - (await scene.connection.getBalance(feePayer.publicKey))).toBe(10_001)
    expect(await scene.settle(payload)).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
      transaction: '',
    })
    expect(await scene.verify(payload)).toMatchObject({
      isValid: false,
      invalidReason: 'duplicate_settlement',
    })
  })

  it('at twenty calls at once lands once, and one of them has the success', async () => {
    const payload = await scene.sign()
    const answers = await Promise.all(Array.from({ length: 20 }, () => scene.settle(payload)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ errorReason }) => errorReason === 'duplicate_settlement')).toHaveLength(19)
    expect(await scene.tokens(keyOf(owner))).toBe(AMOUNT)
  })

  it('is refused as it is, and not recorded', async () => {
    const payload = await scene.sign()
    await scene.setTokens(keyOf(payer), AMOUNT - 1n)
    expect(await scene.verify(payload)).toMatchObject({ isValid: false, invalidReason: 'insufficient_funds' })
    expect(await scene.settle(payload)).toMatchObject({ success: false, errorReason: 'insufficient_funds' })
    await scene.setTokens(keyOf(payer), AMOUNT)
    expect(await scene.settle(payload)).toMatchObject({ success: true })
  })

  it('must have forty blocks left', async () => {
    const payload = await scene.sign()
    scene.clock.pass(110 * SLOT_MS)
    expect(await scene.verify(payload)).toMatchObject({ isValid: true })
    scene.clock.pass(SLOT_MS)
    expect(await scene.verify(payload)).toMatchObject({ invalidReason: 'invalid_transaction_state' })
    expect(await scene.settle(payload)).toMatchObject({ errorReason: 'invalid_transaction_state' })
  })

  it('is refused when its funds are reserved for other payments', async () => {
    await scene.setTokens(keyOf(payer), AMOUNT)
    const payloads = await Promise.all([scene.sign(), scene.sign(), scene.sign()])
    for (const payload of payloads) expect(await scene.verify(payload)).toMatchObject({ isValid: true })
    // Nothing is sent before the last of them has asked.
    const waiting = without(scene.rpc, {
      send: async () => ({ signature: '' }),
      statuses: async () => ({ slot: 0n, statuses: [] }),
    })
    const answers = await Promise.all(payloads.map((payload) => scene.settle(payload, waiting)))
    expect(answers.map(({ errorReason }) => errorReason).sort()).toEqual([
      'funds_reserved',
      'funds_reserved',
      'settlement_pending',
    ])
  })
})

describe('a payment whose outcome is unknown', () => {
  it('is pending with its signature, and the next call has the success', async () => {
    const payload = await scene.sign()
    const blind = without(scene.rpc, { statuses: async () => ({ slot: 0n, statuses: [undefined] }) })
    const pending = await scene.settle(payload, blind)
    expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending', payer: keyOf(payer) })
    expect(await scene.verify(payload)).toMatchObject({ isValid: true })
    expect(await scene.settle(payload)).toMatchObject({ success: true, transaction: pending.transaction })
    expect(await scene.settle(payload)).toMatchObject({ errorReason: 'duplicate_settlement' })
    expect(await scene.tokens(keyOf(owner))).toBe(AMOUNT)
  })

  it('is sent by the next call if it was never sent, even when it is old', async () => {
    const payload = await scene.sign()
    const down = without(scene.rpc, { send: () => Promise.reject(new Error('down')) })
    expect(await scene.settle(payload, down)).toMatchObject({ errorReason: 'settlement_pending' })
    scene.clock.pass(120 * SLOT_MS)
    expect(await scene.settle(payload)).toMatchObject({ success: true })
  })

  it('waits for a slow node no longer than the call’s time limit', async () => {
    const startedAt = scene.clock.now()
    const slow = async () => {
      scene.clock.pass(1_500)
      return { slot: 0n, statuses: [undefined] }
    }
    const answer = await scene.settle(await scene.sign(), without(scene.rpc, { statuses: slow }))
    expect(answer).toMatchObject({ errorReason: 'settlement_pending' })
    expect(scene.clock.now() - startedAt).toBeLessThan(LEASE_MS)
  })

  it('is pending where the payer has moved its tokens since, and expires', async () => {
    const payload = await scene.sign()
    const before = await scene.balance()
    const late = without(scene.rpc, {
      send: async (transaction) => {
        await scene.setTokens(keyOf(payer), 0n)
        return scene.rpc.send(transaction)
      },
    })
    expect(await scene.settle(payload, late)).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
    })
    expect(await scene.settle(payload)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    expect(await scene.balance()).toBe(before - DEBIT)
    // Its last block, then its finality.
    scene.clock.pass(150 * SLOT_MS)
    expect(await scene.runJobs()).toEqual({ recorded: 0, isLast: true })
    scene.clock.pass(90_000)
    expect(await scene.runJobs()).toEqual({ recorded: 1, isLast: true })
    expect(await scene.runJobs()).toEqual({ recorded: 0, isLast: true })
    expect(await scene.balance()).toBe(before)
    expect(await scene.tokens(keyOf(owner))).toBe(0n)
  })

  it('is resumed though its price has ended meanwhile, by which a new one is refused', async () => {
    const payload = await scene.sign()
    await scene.agent.setPrices([], new Date(scene.clock.now() - 590_000))
    const blind = without(scene.rpc, { statuses: async () => ({ slot: 0n, statuses: [undefined] }) })
    expect(await scene.settle(payload, blind)).toMatchObject({ errorReason: 'settlement_pending' })
    expect(await scene.settle(await scene.sign())).toMatchObject({
      errorReason: 'invalid_payment_requirements',
    })
    expect(await scene.settle(payload)).toMatchObject({ success: true })
  })

  it('schedules its check once it is recorded, and is only sent after that', async () => {
    const payload = await scene.sign()
    const course: string[] = []
    const noted = {
      ...without(scene.rpc, {
        send: async (transaction) => {
          course.push('sent')
          return scene.rpc.send(transaction)
        },
      }),
      scheduleOrFail: async (kind: Job, at: Date) => {
        course.push(`${kind} in ${at.getTime() - scene.clock.now()}`)
        if (course.length === 1) throw new Error('no Clock')
      },
    }
    expect(await scene.settle(payload, noted)).toMatchObject({ errorReason: 'settlement_pending' })
    expect(course).toEqual([`settlement in ${RECHECK_AFTER_MS}`])
    expect(await scene.settle(payload, noted)).toMatchObject({ success: true })
    expect(course.slice(1)).toEqual([`settlement in ${RECHECK_AFTER_MS}`, 'sent'])
    // A refused payment wakes nobody.
    expect(await scene.settle(payload, noted)).toMatchObject({ errorReason: 'duplicate_settlement' })
    expect(course).toHaveLength(3)
  })

  it('is published to listeners by the call that sees it land, or by a job run', async () => {
    const notified: string[] = []
    const listening = { notify: (toNotify: readonly string[]) => void notified.push(...toNotify) }
    await database.db.$client.query(
      `insert into wallets (address, first_login_at, last_login_at, listens_until) values ($1, '2026-01-01', '2026-01-01', '2999-01-01') on conflict (address) do update set listens_until = excluded.listens_until`,
      [keyOf(owner)],
    )
    expect(await scene.settle(await scene.sign(), listening)).toMatchObject({ success: true })
    expect(notified).toEqual([keyOf(owner)])
    const blind = without(scene.rpc, { statuses: async () => ({ slot: 0n, statuses: [undefined] }) })
    await scene.settle(await scene.sign(), { ...blind, ...listening })
    scene.clock.pass(100_000)
    await scene.runJobs(listening)
    expect(notified).toEqual([keyOf(owner), keyOf(owner)])
  })

  it('is recorded by a job run, and the next call returns the success', async () => {
    const payload = await scene.sign()
    const blind = without(scene.rpc, { statuses: async () => ({ slot: 0n, statuses: [undefined] }) })
    await scene.settle(payload, blind)
    scene.clock.pass(100_000)
    expect(await scene.runJobs()).toEqual({ recorded: 1, isLast: true })
    expect(await scene.settle(payload)).toMatchObject({ success: true })
    expect(await scene.settle(payload)).toMatchObject({ errorReason: 'duplicate_settlement' })
  })

  it('bars the payer at this seller after three failures that the payer caused', async () => {
    const late = without(scene.rpc, {
      send: async (transaction) => {
        await scene.setTokens(keyOf(payer), 0n)
        const bytes = Buffer.from(transaction, 'base64')
        return { signature: await scene.connection.sendRawTransaction(bytes, { skipPreflight: true }) }
      },
    })
    for (const _ of [1, 2, 3]) {
      await scene.setTokens(keyOf(payer), AMOUNT)
      const answer = await scene.settle(await scene.sign(), late)
      expect(answer).toMatchObject({ success: false, errorReason: 'invalid_exact_svm_transaction_failed' })
      expect(answer.transaction).not.toBe('')
    }
    await scene.setTokens(keyOf(payer), AMOUNT)
    const payload = await scene.sign()
    expect(await scene.verify(payload)).toMatchObject({ isValid: false, invalidReason: 'payer_barred' })
    expect(await scene.settle(payload)).toMatchObject({ success: false, errorReason: 'payer_barred' })
  })

  const SYSTEM_PROGRAM = '11111111111111111111111111111111'
  const closed = { lamports: 0, data: '', owner: SYSTEM_PROGRAM }
  /** What a token account holds: the mint, the owner and the amount, then whether it is frozen (1, 2). */
  const changed = (data: Buffer, at: number, bytes: Uint8Array) => {
    const other = Buffer.from(data)
    other.set(bytes, at)
    return { data: other.toString('hex') }
  }
  it.each([
    ['is closed', 'source', () => closed, true],
    ['is closed and opened as another program’s', 'source', () => ({ data: '00' }), true],
    ['is another’s', 'source', (data: Buffer) => changed(data, 32, stranger.publicKey.toBytes()), true],
    ['is of another mint', 'source', (data: Buffer) => changed(data, 0, stranger.publicKey.toBytes()), true],
    ['is frozen', 'source', (data: Buffer) => changed(data, 108, Buffer.from([2])), true],
    ['is closed', 'destination', () => closed, false],
    ['is frozen', 'destination', (data: Buffer) => changed(data, 108, Buffer.from([2])), false],
    ['is none any more', 'mint', () => ({ data: '00' }), false],
  ] as const)('that fails when its account %s (%s) counts against its payer or does not', async (...row) => {
    const [, name, change, isPayers] = row
    const asset = scene.mint.publicKey.toBase58()
    const tokens = async (of: Keypair) => {
      const { value } = await scene.connection.getTokenAccountsByOwner(of.publicKey, {
        mint: scene.mint.publicKey,
      })
      return value[0]?.pubkey.toBase58() ?? expect.fail()
    }
    const address = { source: () => tokens(payer), destination: () => tokens(owner), mint: async () => asset }
    const target = await address[name]()
    const info = await scene.connection.getAccountInfo(new PublicKey(target))
    const late = without(scene.rpc, {
      send: async (transaction) => {
        await call(scene.url, 'surfnet_setAccount', [target, change(info?.data ?? expect.fail())])
        const bytes = Buffer.from(transaction, 'base64')
        return { signature: await scene.connection.sendRawTransaction(bytes, { skipPreflight: true }) }
      },
    })
    const answer = await scene.settle(await scene.sign(), late)
    expect(answer).toMatchObject({ success: false, errorReason: 'invalid_exact_svm_transaction_failed' })
    const rows = await database.db.$client.query('select status, is_payers_fault from request_payments')
    expect(rows).toEqual([{ status: 'failed', is_payers_fault: isPayers }])
  })

  it('is recorded as failed once its block is final, by the call or by a job run', async () => {
    const late = without(scene.rpc, {
      send: async (transaction) => {
        await scene.setTokens(keyOf(payer), 0n)
        const bytes = Buffer.from(transaction, 'base64')
        return { signature: await scene.connection.sendRawTransaction(bytes, { skipPreflight: true }) }
      },
    })
    const recorded = async () =>
      (await database.db.$client.query('select status from request_payments')).map(({ status }) => status)
    // The chain's first block is final at once.
    scene.clock.pass(100 * SLOT_MS)
    let waits = 0
    const seen: unknown[] = []
    const wait = async (ms: number) => {
      waits += 1
      if (waits === 1) seen.push(...(await recorded()))
      scene.clock.pass(ms)
    }
    await scene.settle(await scene.sign(), { ...late, wait })
    expect([seen, await recorded()]).toEqual([['pending'], ['failed']])
    expect(waits * 500).toBeGreaterThan(32 * SLOT_MS)
  })
})
