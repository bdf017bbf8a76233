import { afterAll, beforeAll, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { paymentSettings } from '../../lib/payments/keys.ts'
import { restorePayments } from '../../lib/payments/restore/restore.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { cred } from '../../schema/amounts.ts'
import { createJobAgent, JOB_PRICE, openJobs } from '../support/funded-jobs.ts'
import { interrupted } from '../support/interrupted.ts'
import type { Payer } from '../support/payer.ts'
import { runScript } from '../support/process.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { balanceOf, ONE, travel } from '../support/staker.ts'

/* A restore loses minutes in which jobs were ordered, accepted, funded, delivered, ended and paid. */

const CRED = BigInt(ONE)
const HOUR = 3_600_000

let service: Service
let jobs: Awaited<ReturnType<typeof openJobs>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'settlement', 'work'] })
  jobs = await openJobs(service)
})
afterAll(async () => {
  await jobs?.close()
  await service?.stop()
})

async function reconcile(since: string, ...args: string[]): Promise<string> {
  const { bindings, url } = service.solana
  const run = runScript('reconcile', ['--since', since, '--rpc', url, ...args], {
    ...bindings,
    DATABASE_URL: service.database.url,
  })
  const code = await run.ended
  expect(code, run.output()).toBe(0)
  return run.output()
}

/** Returns the rows that a repeated run must not change. */
async function stored() {
  const queries = ['jobs', 'payment_intents', 'payment_intent_jobs', 'payment_months', 'events', 'deliveries']
  const results = await service.database.engine.run(
    queries.map((table) => ({ query: `select * from ${table} order by 1, 2`, params: [] })),
  )
  return results.map(({ rows }) => rows.map((row) => row.join()))
}

/** Returns the facts that do not depend on the time of the run. */
async function facts() {
  const queries = [
    `select id, status, agent_id, end_reason, agent_amount, hirer_amount, fee, escrow, paid_at is null,
      refunded_at is null, escrow_closed_at is null from jobs order by id`,
    'select id, wallet, kind, status from payment_intents order by id',
    'select intent_id, job_id, address, seed, amount, fee, guard, stray_at is null, returned_at is null from payment_intent_jobs order by 1, 2',
    'select wallet, role, payments, amount, fee from payment_months order by 1, 2',
    // The script also moves deadlines.
    `select type, count(*) from events where type <> 'job.extended' group by type order by type`,
  ]
  const results = await service.database.engine.run(queries.map((query) => ({ query, params: [] })))
  return results.map(({ rows }) => rows.map((row) => row.join()))
}

/** Reads the chain as the script does, with interruptions. @returns how often it was cut off */
function reconcileInterrupted(since: string): Promise<number> {
  const { bindings, url } = service.solana
  const deps = {
    ...{ rpc: createRpc(url), now: new Date(service.clock.now()), notify: () => {}, isPlan: false },
    clock: () => new Date(service.clock.now()),
    ...{ since: new Date(Date.parse(since) - HOUR), feeBps: 100, feeStep: cred(CRED) },
    settings: paymentSettings({
      mint: bindings.VAULT_MINT,
      authorityAddresses: bindings.PAYMENTS_AUTHORITY_ADDRESSES,
      vaultAuthorityAddresses: bindings.VAULT_AUTHORITY_ADDRESSES,
    }),
  }
  return interrupted(service, async (db) => {
    await restorePayments({ ...deps, db })
    return true
  })
}

const pay = (jobId: string, by = jobs.owner) => by.land(by.post('jobs/collect', { jobId }))
const refund = (jobId: string, hirer: Payer) => hirer.land(hirer.post('jobs/refund', { jobId }))

it('records the payments of jobs that a restore has lost, and pays nothing twice', async () => {
  const [one, two] = [await jobs.createHirer(), await jobs.createHirer()]
  const named: Record<string, string> = {}
  const name = async (key: string, id: Promise<string>) => {
    named[key] = await id
    return named[key]
  }
  const of = (key: string) => named[key] ?? ''
  await name('funded late', jobs.accepted(one))
  const unsigned = await one.post('jobs/fund', { jobId: of('funded late') })
  await name('accepted late', jobs.posted(one))
  for (const key of ['paid', 'returned', 'split', 'split, back first', 'delivered', 'untouched'])
    await name(key, jobs.funded(one))
  await name('split before', jobs.funded(one))
  await jobs.split(of('split before'), one, 30n * CRED)
  const partOfBefore = await one.post('jobs/refund', { jobId: of('split before') })
  await name('stray', jobs.accepted(two))
  const lateFunding = await two.post('jobs/fund', { jobId: of('stray') })
  expect((await two.relay(lateFunding)).status).toBe(200)
  const { rows } = await service.database.engine
    .run([
      {
        query: 'select network_signature, last_valid_block_height from payment_intents where id = $1',
        params: [String(lateFunding.body.id)],
      },
    ])
    .then(([result]) => result ?? { rows: [] })
  await postgres.settlePayments.call(jobs.db, {
    ...{ ids: [String(lateFunding.body.id)], outcomes: ['expired'], feeStep: 1n },
    networkSignatures: [String(rows[0]?.[0])],
    lastValidBlockHeights: [BigInt(String(rows[0]?.[1]))],
    now: new Date(service.clock.now()),
  })
  await travel(service, 10_000)
  const since = new Date(service.clock.now()).toISOString()
  const backup = await service.database.copy()

  // The time that will be lost.
  expect((await one.relay(unsigned)).status).toBe(200)
  expect(await one.status(unsigned)).toMatchObject({ status: 'landed' })
  await jobs.accept(of('accepted late'))
  await one.land(one.post('jobs/fund', { jobId: of('accepted late') }))
  for (const key of ['paid', 'delivered']) await jobs.deliver(of(key))
  await jobs.approve(of('paid'), one)
  await pay(of('paid'))
  await jobs.giveUp(of('returned'))
  await refund(of('returned'), one)
  await jobs.split(of('split'), one, 40n * CRED)
  await pay(of('split'))
  await refund(of('split'), one)
  await jobs.split(of('split, back first'), one, 10n * CRED)
  await refund(of('split, back first'), one)
  await pay(of('split, back first'))
  expect((await one.relay(partOfBefore)).status).toBe(200)
  expect(await one.status(partOfBefore)).toMatchObject({ status: 'landed' })
  await pay(of('split before'))
  for (const key of ['new', 'new and returned', 'new and paid']) await name(key, jobs.funded(two))
  await jobs.giveUp(of('new and returned'))
  await refund(of('new and returned'), two)
  await jobs.deliver(of('new and paid'))
  await jobs.approve(of('new and paid'), two)
  await pay(of('new and paid'))
  const other = await createJobAgent(service, jobs.db)
  await name('of a lost agent', other.funded(two))
  await travel(service, 3 * HOUR)

  const { escrow_seed: seedOfNew } = await jobs.rowOf(of('new'))
  const escrowOf = async (key: string) => String((await jobs.rowOf(of(key))).escrow)
  const open = new Map<string, string>()
  for (const key of ['funded late', 'accepted late', 'delivered', 'untouched', 'new', 'of a lost agent'])
    open.set(key, await escrowOf(key))
  const strayEscrow = String((lateFunding.body.jobs as Body[])[0]?.address)
  const balances = () => Promise.all([one, two, jobs.owner, other.owner].map((side) => side.cred()))
  const truth = await balances()

  await service.database.restore(backup)
  const atFirst = await stored()
  const dueBefore = (await jobs.rowOf(of('untouched'))).due_at as Date
  const plan = await reconcile(since, '--plan')
  expect(await stored()).toEqual(atFirst)
  const backupOfBackup = await service.database.copy()
  expect(await reconcileInterrupted(since)).toBeGreaterThan(16)
  const afterInterruptions = await facts()
  await service.database.restore(backupOfBackup)
  const run = await reconcile(since)
  expect(await facts()).toEqual(afterInterruptions)
  for (const output of [plan, run]) {
    for (const key of ['funded late', 'accepted late'])
      expect(output).toMatch(
        new RegExp(`found\tfund_job\t.*\tjob ${of(key)}\tof ${one.owner}\t100 CRED\t\\w+$`, 'm'),
      )
    for (const key of ['new', 'new and returned', 'new and paid'])
      expect(output).toMatch(new RegExp(`found\tfund_job\t.*job ${of(key)}\t.*\tmade anew`))
    expect(output).toMatch(new RegExp(`found\trefund_job\t${partOfBefore.body.id}\t.*\t70 CRED`))
    expect(output).toMatch(new RegExp(`(found|lost job)\t.*job ${of('of a lost agent')}`))
  }
  expect(run.match(/^found\tcollect_jobs\t/gm)).toHaveLength(5)
  expect(run.match(/^found\trefund_job\t/gm)).toHaveLength(5)
  expect(run).toMatch(
    new RegExp(`lost job\tjob ${of('of a lost agent')}\tescrow ${open.get('of a lost agent')}\t`),
  )
  expect(run).toMatch(/The lost time was added to the deadlines of \d+ jobs/)
  expect(await balances()).toEqual(truth)

  const rowOf = async (key: string) => await jobs.rowOf(of(key))
  const time = expect.any(Date)
  for (const key of ['funded late', 'accepted late'])
    expect(await rowOf(key)).toMatchObject({ status: 'funded', escrow: open.get(key), restored_at: null })
  for (const key of ['delivered', 'untouched']) expect(await rowOf(key)).toMatchObject({ status: 'funded' })
  expect(((await rowOf('untouched')).due_at as Date).getTime() - dueBefore.getTime()).toBeGreaterThan(
    3 * HOUR,
  )
  const restored = { end_reason: 'restored', restored_at: time }
  for (const key of ['paid', 'new and paid'])
    expect(await rowOf(key)).toMatchObject({
      ...restored,
      status: 'completed',
      paid_at: time,
      fee: String(CRED),
    })
  for (const key of ['returned', 'new and returned'])
    expect(await rowOf(key)).toMatchObject({
      ...restored,
      status: 'rejected',
      refunded_at: time,
      escrow_closed_at: time,
    })
  expect(await rowOf('split')).toMatchObject({
    ...{
      ...restored,
      status: 'completed',
      agent_amount: String(40n * CRED),
      hirer_amount: String(60n * CRED),
    },
    ...{ paid_at: time, refunded_at: time, escrow_closed_at: time },
  })
  expect(await rowOf('split, back first')).toMatchObject({
    ...{
      ...restored,
      status: 'completed',
      agent_amount: String(10n * CRED),
      hirer_amount: String(90n * CRED),
    },
    ...{ paid_at: time, refunded_at: time, escrow_closed_at: null },
  })
  expect(await rowOf('split before')).toMatchObject({
    ...{ end_reason: 'agreed', restored_at: null, paid_at: time, refunded_at: time, escrow_closed_at: null },
  })
  expect(await rowOf('new')).toMatchObject({
    ...{
      status: 'disputed',
      judge: 'none',
      owner: jobs.owner.owner,
      hirer: two.owner,
      agent_id: jobs.agentId,
    },
    ...{
      price: String(JOB_PRICE),
      key_version: 1,
      delivered_at: null,
      escrow: open.get('new'),
      escrow_seed: seedOfNew,
    },
    restored_at: time,
  })
  expect(await rowOf('stray')).toMatchObject({ status: 'accepted', escrow: null })
  expect(await rowOf('of a lost agent')).toEqual({})

  // A second run finds nothing new.
  const reconciled = await stored()
  const again = await reconcile(since)
  expect(again).not.toMatch(/^found\t/m)
  expect(again).not.toContain('deadlines of')
  expect(again).toMatch(/^lost job\t/m)
  expect(await stored()).toEqual(reconciled)

  // The agent whose registration was lost is registered again, so its job is made anew.
  for (const side of [one, two, jobs.owner, other.owner]) await side.signInAgain()
  const registered = await other.owner.call('POST', '/agents/register', {
    body: { name: 'Again', agentType: 'autonomous', supportedLayers: [10] },
  })
  expect(registered.status, registered.text).toBe(201)
  expect(await reconcile(since)).toMatch(
    new RegExp(`found\tfund_job\t.*job ${of('of a lost agent')}\t.*made anew`),
  )
  expect(await rowOf('of a lost agent')).toMatchObject({ status: 'disputed', agent_id: registered.body.id })
  expect(await reconcile(since)).not.toMatch(/^(found|lost job)\t/m)

  // Both sides see the job that was made anew.
  const made = { title: '', judge: 'none', status: 'disputed', price: Number(JOB_PRICE) }
  for (const side of [two, jobs.owner])
    expect(await side.call('GET', `/jobs/${of('new')}`)).toMatchObject({ status: 200, body: made })
  const ended = { status: 'completed', endReason: 'restored', paidAt: expect.any(String) }
  expect((await one.call('GET', `/jobs/${of('split')}`)).body).toMatchObject(ended)

  // Nothing that was paid is paid again.
  const codeOf = async (side: Payer, path: string, key: string) =>
    (await side.post(`jobs/${path}`, { jobId: of(key) })).body.code
  for (const key of ['paid', 'split', 'split before', 'new and paid', 'returned', 'new'])
    expect([key, await codeOf(jobs.owner, 'collect', key)]).toEqual([key, 'nothing_to_collect'])
  for (const [key, hirer] of [
    ...['paid', 'split', 'split before', 'returned', 'untouched'].map((key) => [key, one] as const),
    ...['new and paid', 'new and returned', 'new'].map((key) => [key, two] as const),
  ])
    expect([key, await codeOf(hirer, 'refund', key)]).toEqual([key, 'nothing_due'])

  // Unpaid jobs go on: the agent delivers again, both agree on the new job, the stray is returned.
  await jobs.deliver(of('delivered'))
  await jobs.approve(of('delivered'), one)
  await pay(of('delivered'))
  await jobs.split(of('new'), two, 50n * CRED)
  await pay(of('new'))
  await refund(of('new'), two)
  await refund(of('stray'), two)
  await one.land(one.post('jobs/close', {}))
  for (const escrow of [open.get('delivered'), open.get('new'), strayEscrow])
    expect((await balanceOf(service, String(escrow))) ?? 0n).toBe(0n)
  const [hadOne = 0n, hadTwo = 0n, hadOwner = 0n] = truth
  expect(await balances()).toEqual([
    hadOne,
    hadTwo + 50n * CRED + JOB_PRICE,
    hadOwner + 99n * CRED + 49_500_000_000n,
    truth[3],
  ])
  const { body } = await jobs.owner.call('GET', '/payments/totals?role=owner')
  expect(body.kinds).toEqual([
    {
      kind: 'job',
      payments: 7,
      amount: Number((100n + 40n + 10n + 30n + 100n + 100n + 50n) * CRED),
      fee: 4_300_000_000,
    },
  ])
})
