import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keyFile } from '../support/key-files.ts'
import { createAgent, createHirer } from '../support/payer.ts'
import { runScript } from '../support/process.ts'
import { type Fault, OPERATOR_HOST, type Service, startService } from '../support/service.ts'
import { createStaker, ONE, travel } from '../support/staker.ts'
import { eventually, openInbox } from '../support/webhooks.ts'

/* An operator's URLs: what is sent there, and that nothing waits for it or ends by it. */

const TOKEN = 'a-token-of-the-operator'
const HOUR_MS = 3_600_000
const recovery = Keypair.generate()

let service: Service
let sent: { path: string; line: string }[] = []
beforeAll(async () => {
  const url = `https://${OPERATOR_HOST}/${TOKEN}`
  const bindings = {
    HEARTBEAT_URL: `${url}/beat`,
    ALERT_URL: `${url}/alert`,
    VAULT_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}`,
  }
  const groups = ['auth', 'agents', 'vault', 'payments', 'events', 'jobs', 'settlement']
  service = await startService({ groups, bindings })
})
afterAll(() => service.stop())
beforeEach(() => {
  sent = []
  service.onOperator(async (request) => {
    sent.push({ path: new URL(request.url).pathname.split('/').at(-1) ?? '', line: await request.text() })
    return new Response(null, { status: 204 })
  })
})

const linesOf = (path: string) => sent.filter((one) => one.path === path).map(({ line }) => line)

/** Runs what the alarm is due for, so many times, each as soon as it is due again. */
async function reachAlarms(times: number) {
  for (let i = 0; i < times; i += 1) await service.clock.travelTo((await service.reachAlarm()) + 1)
}

it('sends the heartbeat after a daily job, and not after one that failed', async () => {
  await service.runJob('daily')
  await eventually('the heartbeat has come', async () => linesOf('beat').length === 1)
  await service.withFault(
    () => new Response(null, { status: 503 }),
    async () => {
      await service.runJob('daily')
    },
  )
  await service.runJob('hires')
  expect(linesOf('beat')).toHaveLength(1)
})

it('alerts once when the database or a job fails three times in a row', async () => {
  await reachAlarms(2)
  const down = () => new Response(null, { status: 503 })
  await service.withFault(down, async () => {
    await service.clock.travelTo(service.clock.now() + 24 * HOUR_MS)
    await reachAlarms(2)
    expect(linesOf('alert')).toEqual([])
    await reachAlarms(8)
  })
  await eventually('an alert was sent', async () => linesOf('alert').length > 0)
  expect(linesOf('alert')).toEqual(['AgentCred: the database has not answered 3 times in a row.'])
  await reachAlarms(3)

  const renamed = (from: string, to: string) =>
    service.database.engine.execScript(`alter table ${from} rename to ${to}`)
  await renamed('spent_nonces', 'lost')
  await service.clock.travelTo(service.clock.now() + 24 * HOUR_MS)
  await reachAlarms(12)
  await renamed('lost', 'spent_nonces')
  await eventually('an alert was sent', async () => linesOf('alert').length > 1)
  expect(linesOf('alert').slice(1)).toEqual(['AgentCred: the daily job has failed 3 times in a row.'])
})

it('continues job runs when the operator’s server fails, and logs no token', async () => {
  for (const answer of [
    () => new Response(null, { status: 500 }),
    () => new Promise<Response>(() => {}),
    () => Response.redirect('https://elsewhere.example/', 302),
  ]) {
    service.onOperator(answer)
    expect(await service.runJob('daily')).toMatchObject({ at: expect.any(Number) })
  }
  await eventually('it is logged', async () =>
    service.logs.lines.some(({ unsent, status }) => unsent === 'heartbeat' && status === 500),
  )
  expect(JSON.stringify(service.logs.lines)).not.toContain(TOKEN)
})

it('alerts once an hour when a webhook secret can not be decrypted', async () => {
  const inbox = openInbox(service)
  const owner = await inbox.createAgent()
  const made = await owner.call('POST', '/events/endpoints', { url: `${owner.url}/own` })
  expect(made.status, made.text).toBe(201)
  await service.database.engine.execScript(
    `update endpoints set secret = regexp_replace(secret, '^[^:]+', '9')`,
  )
  for (const status of ['inactive', 'active', 'inactive']) {
    await owner.call('PATCH', `/agents/${owner.agent.id}`, { status })
    await service.runJob('deliveries')
  }
  const line = 'AgentCred: a webhook secret cannot be decrypted. Check WEBHOOK_SECRETS_KEY'
  await eventually('an alert was sent', async () => linesOf('alert').includes(line))
  expect(linesOf('alert').filter((one) => one === line)).toHaveLength(1)
})

it('notifies when the breaker is tripped', async () => {
  const staker = await createStaker(service)
  await staker.relay(await staker.stack(10 * ONE))
  expect((await staker.vault()).body.positions).toHaveLength(1)
  const { url, bindings } = service.solana
  const keys = ['--owner', keyFile(staker.keypair), '--recovery', keyFile(recovery)]
  const exit = runScript('exit', ['--rpc', url, '--mint', bindings.VAULT_MINT, ...keys])
  expect(await exit.ended, exit.output()).toBe(0)
  // One run sees it, and the next one confirms it.
  for (let i = 0; i < 2; i += 1) {
    await travel(service, 600_000)
    await service.runJobs('settlement')
  }
  const line = 'AgentCred: a position of key version 1 was paid out early.'
  await eventually('an alert was sent', async () => linesOf('alert').includes(line))
})

it('notifies of a collection that nothing proves, once an hour', async () => {
  const { owner, agentId } = await createAgent(service)
  const { hireId } = await createHirer(service, agentId, 5 * ONE)
  await owner.charge(hireId, ONE)
  const built = await owner.collect()
  // The node takes no transaction, and has forgotten what came before.
  const forgetful: Fault = async (request) => {
    const { method, id } = (await request.clone().json()) as { method: string; id: unknown }
    if (method === 'sendTransaction') return new Response(null, { status: 503 })
    if (method === 'getSignaturesForAddress') return Response.json({ jsonrpc: '2.0', id, result: [] })
    return service.solana.outbound(request) ?? new Response(null, { status: 404 })
  }
  const line =
    'AgentCred: the chain does not show whether a collection landed. Run: npm run payments -- unproven'
  await service.withRpcFault(forgetful, async () => {
    await owner.relay(built)
    await travel(service, 2 * 60_000)
    expect(linesOf('alert')).not.toContain(line)
    for (let runs = 0; runs < 3; runs += 1) {
      await service.runJobs('settlement')
      await travel(service, 10 * 60_000)
    }
  })
  await eventually('an alert was sent', async () => linesOf('alert').includes(line))
  expect(linesOf('alert').filter((one) => one === line)).toHaveLength(1)
  const found = () =>
    service.logs.lines.filter(({ unprovenCollection }) => unprovenCollection === built.body.id)
  await expect.poll(() => found().length).toBeGreaterThan(1)
  // Its charges are neither paid again nor due again.
  expect((await owner.collect()).body).toMatchObject({ code: 'nothing_to_collect' })
})

it('notifies once, by the daily job, when a database nearly fills its plan', async () => {
  const { rows } = (
    await service.database.engine.run([{ query: 'select pg_database_size(current_database())', params: [] }])
  )[0] ?? { rows: [] }
  await service.redeploy({ DATABASE_LIMIT_BYTES: String(Math.ceil(Number(rows[0]?.[0]) / 0.9)) })
  const storageAlerts = () => linesOf('alert').filter((line) => line.includes('of its plan’s storage'))
  await service.runJob('daily')
  await eventually('an alert was sent', async () => storageAlerts().length === 1)
  expect(storageAlerts()[0]).toMatch(/^AgentCred: the database uses \d+ MB, (89|9\d) %/)
  // By another isolate, and when its hour is over: the Clock remembers.
  await travel(service, 2 * HOUR_MS)
  await service.runJob('daily')
  await eventually('the job run has ended', async () => linesOf('beat').length === 2)
  expect(storageAlerts()).toHaveLength(1)
  expect(service.logs.lines).toContainEqual(
    expect.objectContaining({ job: 'storage', bytes: expect.any(Number), percent: expect.any(Number) }),
  )
})
