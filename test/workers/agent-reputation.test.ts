import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { NO_PAYERS } from '../../lib/reputation/counterparties/rules.ts'
import { agentScore } from '../support/agent-score.ts'
import { register } from '../support/agents.ts'
import { type Body, type Service, startService } from '../support/service.ts'

const DAY = 86_400_000
let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'jobs'] })
})
afterAll(() => service.stop())

const travel = (days: number) => service.clock.travelTo(service.clock.now() + days * DAY)
const runJobs = () => service.runJobs('jobs')
const offer = async (owner: KeyWallet, changes: Body = {}) =>
  register((await service.signIn(owner)).call, changes)
const hire = async (wallet: KeyWallet, agentId: string, changes: Body = {}) => {
  const body = { agentId, expiresInDays: 7, ...changes }
  return (await (await service.signIn(wallet)).call('POST', '/agents/hire', { body })).body
}
const end = async (wallet: KeyWallet, hired: Body) =>
  (await (await service.signIn(wallet)).call('DELETE', `/agents/hire?id=${hired.id}`)).body
const scoreOf = async (id: string) => (await service.call('GET', `/agents/${id}`)).body.reputationScore
/** The score of an agent that so many other wallets have hired for a whole term. */
const score = (hirers: number) => agentScore({ hirers, payers: NO_PAYERS })

it('orders the list by hires that ran their term', async () => {
  const name = `Ranked ${crypto.randomUUID().slice(0, 8)}`
  const owner = createWallet()
  const ids: string[] = []
  for (const hires of [1, 3, 0, 2]) {
    const { id } = await offer(owner, { name })
    ids.push(id)
    for (let i = 0; i < hires; i += 1) await hire(createWallet(), id)
  }
  const [one, three, none, two] = ids
  const listed = async () => {
    const { body } = await service.call('GET', `/agents?q=${encodeURIComponent(name)}`)
    return (body.agents as Body[]).map(({ id, reputationScore }) => [id, reputationScore])
  }
  await runJobs()
  expect(await listed()).toEqual([two, none, three, one].map((id) => [id, 0]))
  await travel(7)
  await runJobs()
  expect(await listed()).toEqual([
    [three, score(3)],
    [two, score(2)],
    [one, score(1)],
    [none, 0],
  ])
  const enough = await service.call(
    'GET',
    `/agents?q=${encodeURIComponent(name)}&minReputation=${Math.floor(score(2))}`,
  )
  expect((enough.body.agents as Body[]).map(({ id }) => id)).toEqual([three, two])
})

it('counts no hire of one’s own agent', async () => {
  const owner = createWallet()
  const { id } = await offer(owner)
  const own = await hire(owner, id)
  await end(owner, own)
  await hire(owner, id)
  await travel(7)
  await runJobs()
  expect(await scoreOf(id)).toBe(0)
  await hire(createWallet(), id)
  await travel(7)
  await runJobs()
  expect(await scoreOf(id)).toBe(score(1))
})

it('does not count a hire that is terminated early', async () => {
  const { id } = await offer(createWallet())
  for (let i = 0; i < 2; i += 1) await hire(createWallet(), id)
  await travel(7)
  await runJobs()
  expect(await scoreOf(id)).toBe(score(2))
  const user = createWallet()
  const ended = await end(user, await hire(user, id))
  expect(ended.agent).toMatchObject({ id, reputationScore: score(2) })
  expect(await end(user, ended)).toEqual(ended)
  expect(await scoreOf(id)).toBe(score(2))
})

it('counts a renewing hire once, when its first term ends', async () => {
  const { id } = await offer(createWallet())
  const user = createWallet()
  const hired = await hire(user, id, { autoRenew: true })
  await travel(6)
  await runJobs()
  expect(await scoreOf(id)).toBe(0)
  await travel(1)
  await runJobs()
  expect(await scoreOf(id)).toBe(score(1))
  await travel(20)
  await runJobs()
  expect(await end(user, hired)).toMatchObject({
    status: 'terminated',
    agent: { reputationScore: score(1) },
  })
})

it('records an ended term with the next write of the hire, or by the job', async () => {
  const owner = createWallet()
  const ended = await offer(owner)
  const hiredAgain = await offer(owner)
  const retired = await offer(owner)
  const user = createWallet()
  const first = await hire(user, ended.id)
  await hire(user, hiredAgain.id)
  await hire(user, retired.id, { autoRenew: true })
  await travel(8)
  expect((await end(user, first)).status).toBe('expired')
  expect((await hire(user, hiredAgain.id)).agent).toMatchObject({
    reputationScore: score(1),
    totalHires: 2,
  })
  const { call } = await service.signIn(owner)
  const changed = await call('PATCH', `/agents/${retired.id}`, { body: { status: 'inactive' } })
  expect(changed.body.reputationScore).toBe(score(0))
  await runJobs()
  for (const { id } of [ended, hiredAgain, retired]) expect(await scoreOf(id)).toBe(score(1))
})
