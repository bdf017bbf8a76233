import { Keypair } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { paymentSettings } from '../../lib/payments/keys.ts'
import { restorePayments } from '../../lib/payments/restore/restore.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { escrowSettings } from '../../lib/vault/keyring.ts'
import { restoreVault } from '../../lib/vault/restore/restore.ts'
import { closeUnanswered } from '../../lib/x402/payments/restore-queries.ts'
import { cred } from '../../schema/amounts.ts'
import { logsIn, type Operated, operate } from '../support/cloud/operated.ts'
import { deployedSecrets } from '../support/cloud/scripts.ts'
import { createDatabase } from '../support/database.ts'
import { interrupted } from '../support/interrupted.ts'
import { keyFile } from '../support/key-files.ts'
import { createAgent, createPayer, hireAgent, type Payer } from '../support/payer.ts'
import { runScript } from '../support/process.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import { balanceOf, createStaker, DAY, ONE, type Staker, travel, travelToNoon } from '../support/staker.ts'

/*
 * The restore drill, in the order of functions/runbooks.md: the database is copied, the service goes on, then
 * stops. The copy takes the database's place, `npm run reconcile` reads the lost transactions from the chain,
 * and the Workers may log in again.
 */

const recovery = Keypair.generate()
const HELD_CHARGE = 3 * ONE

let service: Service
let operated: Operated | undefined
beforeAll(async () => {
  const database = await createDatabase()
  service = await startService({
    bindings: { VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}` },
    database: Object.create(database, {
      handler: {
        value: async (request: Request) => (await operated?.refusalOf(request)) ?? database.handler(request),
      },
    }),
  })
  await travelToNoon(service)
})
afterAll(() => service.stop())
afterEach(() => void vi.unstubAllGlobals())

const script = async (name: string, args: string[]) => {
  const { bindings, url } = service.solana
  const rpc = ['exit', 'reconcile'].includes(name) ? ['--rpc', url] : []
  const run = runScript(name, [...args, ...rpc], {
    ...bindings,
    VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}`,
    DATABASE_URL: service.database.url,
  })
  const code = await run.ended
  const output = run.output()
  for (const secret of [bindings.VAULT_AUTHORITY_KEYS, bindings.PAYMENTS_AUTHORITY_KEYS])
    expect(output).not.toContain(secret.slice(2))
  return { code, output }
}

/** Returns the rows that a restored database and one that was never lost have in common. */
async function stored(): Promise<string[][]> {
  const queries = [
    `select owner, address, principal, lock_days, staked_at, status, escrowed, claimed, open_claim, early
      from positions order by address`,
    'select id, owner, kind, status from vault_intents order by id',
    'select owner, open_stacks, open_positions from vaults order by owner',
    'select hire_id, address, generation, held_at is not null from budget_accounts order by hire_id',
    'select id, wallet, kind, status from payment_intents order by id',
    'select id, status, collection_id, fee from charges order by id',
    'select generation, paused_at is not null from vault_generations order by generation',
    'select owner, balance from credits',
    'select id, status, lease is null from request_payments',
    'select type, count(*) from events group by type order by type',
  ]
  const results = await service.database.engine.run(queries.map((query) => ({ query, params: [] })))
  return results.map(({ rows }) => rows.map((row) => row.join()))
}

/** Reads the chain as the script does, with interruptions. @returns how often it was cut off */
function reconcileInterrupted(since: string): Promise<number> {
  const { bindings } = service.solana
  const vaultAuthorityAddresses = bindings.VAULT_AUTHORITY_ADDRESSES
  const deps = {
    rpc: createRpc(service.solana.url),
    now: new Date(service.clock.now()),
    clock: () => new Date(service.clock.now()),
    notify: () => {},
    schedule: () => {},
    since: new Date(Date.parse(since) - 60_000),
    isPlan: false,
    feeBps: 100,
    feeStep: cred(BigInt(ONE)),
    escrow: escrowSettings({
      mint: bindings.VAULT_MINT,
      authorityAddresses: vaultAuthorityAddresses,
      recoveryAddresses: `1:${recovery.publicKey.toBase58()}`,
    }),
    settings: paymentSettings({
      mint: bindings.VAULT_MINT,
      authorityAddresses: bindings.PAYMENTS_AUTHORITY_ADDRESSES,
      vaultAuthorityAddresses,
    }),
  }
  return interrupted(service, async (db) => {
    const { failures } = await restoreVault({ ...deps, db })
    await restorePayments({ ...deps, db })
    await closeUnanswered(db, deps)
    return failures === 0
  })
}

async function pendingRequest(wallet: string, agentId: string): Promise<string> {
  const id = crypto.randomUUID()
  await service.database.engine.run([
    {
      query: `insert into request_payments (id, agent_id, owner, payer, source, asset, amount, message_hash, transaction, network_signature,
          last_valid_block_height, network_fee, debit, status, created_at, due_at)
        values ($1, $2, $3, $3, $3, 'asset', 5, 'hash', 'AQ==', 'signature', 1, 10001, 5, 'pending', $4, $5)`,
      // Job runs leave it alone: other tests cover the requests to the network.
      params: [
        id,
        agentId,
        wallet,
        ...[0, 365 * DAY].map((ms) => new Date(service.clock.now() + ms).toISOString()),
      ],
    },
  ])
  return id
}

const positionsOf = async (staker: Staker): Promise<Body[]> => (await staker.vault()).body.positions as Body[]

async function landed(staker: Staker, building: Promise<Answer>): Promise<Answer> {
  const built = await building
  expect(built.status, built.text).toBe(200)
  await staker.relay(built)
  await travel(service, 2_001)
  expect(await staker.status(built)).toMatchObject({ status: 'landed' })
  return built
}

async function exit(staker: Staker) {
  const key = keyFile(staker.keypair)
  const { VAULT_MINT } = service.solana.bindings
  const args = ['--mint', VAULT_MINT, '--owner', key, '--recovery', keyFile(recovery)]
  expect(await script('exit', args)).toMatchObject({ code: 0 })
}

it('restores as in the runbooks, with lost data from the chain; pays nothing twice', async () => {
  const operator = await operate(service)
  onTestFinished(() => {
    operated = undefined
  })
  expect((await operator.setUp()).stopped).toBeUndefined()
  operated = operator
  const [staker, leaver, fleeting] = [
    await createStaker(service),
    await createStaker(service),
    await createStaker(service),
  ]
  await landed(staker, staker.stack(100 * ONE, 30))
  await landed(staker, staker.stack(50 * ONE, 7))
  await landed(leaver, leaver.stack(70 * ONE, 30))
  const agent = await createAgent(service)
  const other = await createAgent(service)
  const hirers: Payer[] = []
  for (let i = 0; i < 4; i += 1) hirers.push(await createPayer(service))
  const [funded, unfunded, known, late] = hirers as [Payer, Payer, Payer, Payer]
  const fundedHire = await hireAgent(funded, agent.agentId)
  const unfundedHire = await hireAgent(unfunded, agent.agentId)
  const knownHire = await hireAgent(known, other.agentId)
  await funded.land(funded.fund(fundedHire, 20 * ONE))
  await known.land(known.fund(knownHire, 20 * ONE))
  const before = await agent.owner.charge(fundedHire, HELD_CHARGE)
  const unvoided = await agent.owner.charge(unfundedHire, ONE)
  const exact = await other.owner.charge(knownHire, 2 * ONE)
  // Built before the copy is made, signed after it.
  const unsigned = await other.owner.collect()
  // A payment for a request that is on its way: it lands, and is answered, in the time that will be lost.
  const request = await pendingRequest(agent.owner.owner, agent.agentId)
  await travel(service, 10_000)
  const since = new Date(service.clock.now()).toISOString()
  const backup = await service.database.copy()

  // The time that will be lost.
  expect((await other.owner.relay(unsigned)).status).toBe(200)
  await travel(service, 2_001)
  await unfunded.land(unfunded.fund(unfundedHire, 5 * ONE))
  const lostHire = await hireAgent(late, agent.agentId)
  await late.land(late.fund(lostHire, 4 * ONE))
  const lostCharge = { hireId: fundedHire, reference: 'lost', units: ONE }
  expect((await agent.owner.post('charges', lostCharge)).status).toBe(201)
  await agent.owner.charge(lostHire, ONE)
  const bought = await agent.owner.land(agent.owner.post('credit', { amount: 3 * ONE }))
  const paidBefore = await agent.owner.cred()
  await agent.owner.land(agent.owner.collect())
  const collected = BigInt(HELD_CHARGE + 3 * ONE)
  const legFees = [BigInt(HELD_CHARGE + ONE), BigInt(ONE), BigInt(ONE)].map((sum) => protocolFee(sum, 100))
  const paid = collected - legFees.reduce((sum, fee) => sum + fee, 0n)
  expect((await agent.owner.cred()) - paidBefore).toBe(paid)
  await landed(staker, staker.stack(30 * ONE, 90))
  await landed(fleeting, fleeting.stack(10 * ONE, 30))
  await travel(service, 8 * DAY)
  for (const one of [staker, leaver, fleeting, agent.owner, other.owner, ...hirers]) await one.signInAgain()
  const credBefore = await staker.cred()
  await landed(staker, staker.claim())
  const claimed = (await staker.cred()) - credBefore
  expect(claimed).toBeGreaterThan(0n)
  await landed(staker, staker.unstack(1))
  await exit(leaver)
  await exit(fleeting)
  const truth = await positionsOf(staker)
  const lostEvent = ((await staker.call('GET', '/events')).body.events as Body[]).at(-1)?.id

  // 1. Every login is disabled. Signed transactions land or expire.
  expect((await operator.rotate('database', { isStop: true })).said).toContain('Every login is disabled')
  const shut = await staker.vault()
  expect([shut.status, shut.body.code]).toEqual([503, 'dependency_unavailable'])
  await travel(service, 3 * 60_000)

  // 2. and 3. A branch of the last good time, which has the migrations; the chain is read.
  await service.database.restore(backup)
  const migrated = await script('migrate', [])
  expect(migrated, migrated.output).toMatchObject({ code: 0 })
  const backupOfBackup = await service.database.copy()
  const atFirst = await stored()
  const plan = await script('reconcile', ['--since', since, '--plan'])
  expect(plan, plan.output).toMatchObject({ code: 0 })
  expect(await stored()).toEqual(atFirst)
  const run = await script('reconcile', ['--since', since])
  expect(run, run.output).toMatchObject({ code: 0 })
  for (const output of [plan.output, run.output]) {
    expect(output).toMatch(new RegExp(`found\tstack\t.*of ${staker.owner}\t30 CRED`))
    expect(output).toMatch(new RegExp(`found\tclaim\t.*of ${staker.owner}`))
    expect(output).toMatch(new RegExp(`found\tunstack\t.*of ${staker.owner}`))
    expect(output).toMatch(new RegExp(`found\tstack\t.*of ${fleeting.owner}`))
    expect(output).toMatch(new RegExp(`position\t.*of ${leaver.owner}\twithdrawn, paid out before`))
    expect(output.match(/^recovery key\t/gm)).toHaveLength(2)
    expect(output).toMatch(new RegExp(`funded\thire ${unfundedHire}\t.*\t4 CRED can be collected`))
    expect(output).toContain(`collected\t${unsigned.body.id}`)
    expect(output).toContain(`bought\t${bought.body.id}\tof ${agent.owner.owner}\t3 CRED`)
    expect(output).toMatch(new RegExp(`held\thire ${fundedHire}\taccount .*\t4 CRED, fee 0.04 CRED`))
    expect(output).toMatch(new RegExp(`held\thire ${unfundedHire}\taccount .*\t1 CRED, fee 0.01 CRED`))
    expect(output).toMatch(/^lost hire\taccount .*\t1 CRED, fee 0.01 CRED/m)
    expect(output).toContain(`lost hire\t${lostHire}\tfunded with 4 CRED`)
    expect(output).toContain(`unanswered\t${request}\tof ${agent.owner.owner}`)
  }
  const reconciled = await stored()
  const again = await script('reconcile', ['--since', since])
  expect(again.output).not.toMatch(/^(found|position|funded|collected|bought|unanswered|held)\t/m)
  expect(await stored()).toEqual(reconciled)
  await service.database.restore(backupOfBackup)
  expect(await stored()).toEqual(atFirst)
  expect(await reconcileInterrupted(since)).toBeGreaterThan(8)
  expect(await stored()).toEqual(reconciled)

  // 4. A new session key, while the Workers are shut out.
  const { stopped } = await operator.rotate('session', { isAtOnce: true, timeoutMs: 1_000 })
  expect(stopped).toMatch(/is unhealthy .*Run npm run rotate -- session --at-once again/)
  const { SESSION_JWKS = '', SESSION_SIGNING_KEY = '' } = deployedSecrets(operator.cloud, 'auth')
  expect(SESSION_JWKS).not.toBe(service.keys.SESSION_JWKS)
  await service.redeploy({ SESSION_JWKS, SESSION_SIGNING_KEY })

  // 5. The branch is the default one: the Workers get its address, and are let in.
  operator.cloud.neon.url = service.database.url
  expect((await operator.setUp()).stopped).toBeUndefined()
  const opened = operator.urlOf('decide')
  expect(new URL(opened).pathname).toBe(new URL(service.database.url).pathname)
  expect((await staker.call('GET', '/events')).status).toBe(401)
  expect((await operator.rotate('session')).said).toMatch(/^done .* which are now rejected$/m)
  expect((await operator.rotate('database', { isAtOnce: true })).said).toMatch(
    /^done .* which are now rejected$/m,
  )
  expect([await logsIn(opened), await logsIn(operator.urlOf('decide'))]).toEqual([false, true])
  for (const one of [staker, leaver, fleeting, agent.owner, other.owner, ...hirers]) await one.signInAgain()
  expect((await agent.owner.call('GET', '/payments/credit')).body).toMatchObject({ balance: 3 * ONE })
  const last = await script('reconcile', ['--since', since])
  expect(last.output).not.toMatch(/^(found|position|funded|collected|held)\t/m)
  expect(await stored()).toEqual(reconciled)

  // Every position is as the chain has it.
  await service.runJobs('settlement')
  const found = await positionsOf(staker)
  const terms = ({ address, amount, claimed, escrowed, stakedAt }: Body) => ({
    address,
    amount,
    claimed,
    escrowed,
    stakedAt,
  })
  expect(found.map(terms)).toEqual(truth.map(terms))
  for (const { address, escrowed } of found)
    expect(await balanceOf(service, address)).toBe(BigInt(Number(escrowed)))
  expect(await positionsOf(leaver)).toEqual([])
  expect(await positionsOf(fleeting)).toEqual([])
  expect((await staker.stack(ONE)).body).toMatchObject({ code: 'stacking_paused' })

  // Nothing that was paid is paid again: not a claim, not a withdrawal, not a collection.
  const due = await staker.vault()
  const { pendingYield } = due.body.balances as Body
  const credAt = await staker.cred()
  const claim = await staker.claim()
  if (claim.status === 200) await landed(staker, Promise.resolve(claim))
  const second = (await staker.cred()) - credAt
  expect(second).toBeLessThan(claimed / 10n)
  expect(second).toBeLessThanOrEqual(BigInt(Number(pendingYield)) + claimed / 100n)
  expect((await staker.unstack(1)).body).toMatchObject({ code: 'position_not_found' })

  const chargeStatus = async (id: unknown) => {
    const { body } = await agent.owner.call('GET', '/payments/charges?role=owner')
    return (body.charges as Body[]).find((charge) => charge.id === id)?.status
  }
  const { body: exactly } = await other.owner.call('GET', '/payments/charges?role=owner')
  expect((exactly.charges as Body[]).find(({ id }) => id === exact.id)?.status).toBe('collected')
  expect((await other.owner.collect()).body).toMatchObject({ code: 'nothing_to_collect' })
  expect(await chargeStatus(before.id)).toBe('recorded')
  expect((await agent.owner.collect()).body).toMatchObject({ code: 'nothing_to_collect' })
  // The agent reports its lost charge again: that is on hold, too, with its charges from now on.
  const repeated = await agent.owner.post('charges', lostCharge)
  expect(repeated.status).toBe(201)
  const next = await agent.owner.charge(fundedHire, 2 * ONE)
  expect((await agent.owner.collect()).body).toMatchObject({ code: 'nothing_to_collect' })

  // The operator says which charges were paid, and releases the hires.
  const held = await script('payments', ['held'])
  const collection = held.output.match(/collection (\S+)/)?.[1] ?? ''
  expect(held.output).toContain(`hire ${fundedHire}`)
  const payingFor = (...charges: unknown[]) =>
    script('payments', ['paid', '--transaction', collection, '--charges', charges.join()])
  expect(await payingFor(before.id, repeated.body.id, next.id)).toMatchObject({ code: 1 })
  expect(await payingFor(exact.id)).toMatchObject({ code: 1 })
  expect(await payingFor(before.id, repeated.body.id, unvoided.id)).toMatchObject({ code: 0 })
  expect(await chargeStatus(before.id)).toBe('collected')
  expect((await agent.owner.collect()).body).toMatchObject({ code: 'nothing_to_collect' })
  for (const hire of [fundedHire, unfundedHire])
    expect(await script('payments', ['release', '--hire', hire])).toMatchObject({ code: 0 })
  expect(await script('payments', ['release', '--hire', fundedHire])).toMatchObject({ code: 1 })
  expect((await script('payments', ['held'])).output).toBe('No hire is held.\n')
  await agent.owner.land(agent.owner.collect())
  expect(await chargeStatus(next.id)).toBe('collected')
  expect((await funded.budget(fundedHire))?.balance).toBe(20 * ONE - HELD_CHARGE - 3 * ONE)
  expect((await script('reconcile', ['--since', since])).output).not.toMatch(/^held\t/m)

  // A reader whose cursor is of the lost time gets an error.
  const lost = await staker.call('GET', `/events?after=${lostEvent}`)
  expect(lost.body).toMatchObject({ status: 409, code: 'cursor_lost', oldest: expect.any(String) })

  // A dump that another server restored: its transactions have other numbers.
  const logOf = async () => {
    const { body } = await staker.call('GET', '/events')
    return (body.events as Body[]).map(({ id }) => id)
  }
  const log = await logOf()
  await service.database.engine.execScript('update events set xid = xid + 1000000000')
  expect(await logOf()).toEqual([])
  const dumped = await script('reconcile', ['--since', since])
  expect(dumped).toMatchObject({ code: 1, output: expect.stringContaining('update events set xid = 0;') })
  await service.database.engine.execScript(dumped.output.match(/set statement_timeout = 0;.*/)?.[0] ?? '')
  expect((await script('reconcile', ['--since', since])).code).toBe(0)
  expect(await logOf()).toEqual(log)
})
