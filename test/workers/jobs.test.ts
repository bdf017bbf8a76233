import { afterAll, beforeAll, expect, it } from 'vitest'
import { JOBS } from '../../lib/clock/jobs.ts'
import { register } from '../support/agents.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually, openInbox } from '../support/webhooks.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs', 'settlement'] })
})
afterAll(() => service.stop())

const spentNonces = async () => {
  const [result] = await service.database.engine.run([
    { query: 'select count(*) from spent_nonces', params: [] },
  ])
  return Number(result?.rows[0]?.[0])
}

it('the cron deletes spent nonces once their challenges have expired, and not before', async () => {
  await service.signIn()
  await service.signIn()
  await service.runJob('daily')
  expect(await spentNonces()).toBe(2)
  await service.clock.travelTo(service.clock.now() + 301_000)
  await service.signIn()
  await service.runJob('daily')
  expect(await spentNonces()).toBe(1)
})

it('logs each step of a run in one line; two runs at once do nothing twice', async () => {
  const inbox = openInbox(service)
  const owner = await inbox.createAgent()
  for (const autoRenew of [true, false]) await owner.hire({ autoRenew, expiresInDays: 1 })
  // The attempt is sent and recorded: its lease is about to end.
  await owner.untilStates(...Array<string>(3).fill('delivered'))
  await service.clock.travelTo(service.clock.now() + 86_400_000)
  const before = service.logs.lines.length
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (const kind of JOBS) expect(await service.runJob(kind)).not.toBe('failed')
    }),
  )
  await inbox.until(owner.url, 5)
  const ofJobs = ['spentNonces', 'hires', 'deliveries', 'oldDeliveries', 'verifications', 'proofs']
  const ofSettlement = ['unsignedIntents', 'expiredIntents', 'unpaidCharges', 'payments', 'earlyPayouts']
  for (const job of [...ofJobs, ...ofSettlement])
    await expect.poll(() => linesOf(job, before), { message: job }).toHaveLength(3)
  const hires = linesOf('hires', before)
  expect(hires.reduce((sum, { expired, renewed }) => sum + Number(expired) + Number(renewed), 0)).toBe(2)
  await owner.untilStates(...Array<string>(5).fill('delivered'))
  expect(inbox.of(owner.url)).toHaveLength(5)
})

it('a backlog of ended terms is recorded in one run, batch by batch', async () => {
  const before = service.logs.lines.length
  const agent = await createAgent()
  await service.database.engine.run([
    {
      query: `insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days, status,
          hired_at, expires_at)
        select gen_random_uuid(), 'wallet ' || i, $1::uuid, '{1}', 'flat', 5, i % 2 = 0, 1, 'active', $2::timestamptz, $2::timestamptz
        from generate_series(1, 1200) i`,
      params: [agent.id, new Date(service.clock.now() - 60_000).toISOString()],
    },
  ])
  await service.runJobs('jobs')
  await eventually('the run is logged', () => linesOf('hires', before).length === 1)
  expect(linesOf('hires', before)).toMatchObject([{ expired: 600, renewed: 600 }])
})

const createAgent = async () => register((await service.signIn()).call)

const linesOf = (job: string, from: number) =>
  service.logs.lines.slice(from).filter((line) => line.job === job && line.level === 'info')
