import { afterAll, beforeAll, expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { hiring } from '../support/hiring.ts'
import { type Service, startService } from '../support/service.ts'
import { travelToNoon } from '../support/staker.ts'

const DAY = 86_400_000

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'payments', 'jobs', 'probes'] })
  service.onProbe(async () => new Response('here'))
  // No day may end between two hires that are counted for the same.
  await travelToNoon(service)
})
afterAll(() => service.stop())

type Day = { day: string; hires: number; charges: number; looks: number; live: number }

it('returns an agent’s last 30 days with hires and endpoint probes', async () => {
  const { call: owner } = await service.signIn()
  const endpoint = { apiEndpoint: 'https://heron.example.com/', apiProtocol: 'http' }
  const agent = await register(owner, endpoint)
  const hire = async () => {
    const { call } = await service.signIn()
    expect((await call('POST', '/agents/hire', { body: { agentId: agent.id } })).status).toBe(201)
  }
  await hire()
  await service.clock.travelTo(service.clock.now() + DAY)
  await hire()
  await hire()
  await service.runJobs('probes')
  const { status, body } = await service.call('GET', `/agents/${agent.id}/history`)
  expect(status).toBe(200)
  const days = body.days as Day[]
  expect(days).toHaveLength(30)
  expect(days.at(-1)?.day).toBe(new Date(service.clock.now()).toISOString().slice(0, 10))
  expect(days.slice(-3).map(({ hires }) => hires)).toEqual([0, 1, 2])
  expect(days.at(-1)?.looks).toBeGreaterThan(0)
  expect(days.at(-1)?.live).toBe(days.at(-1)?.looks)
})

it('counts the charges of each day without voided ones', async () => {
  const { agentId, charge, void: voidCharge, travel } = await hiring(service)
  const other = await hiring(service)
  await charge()
  await travel(1)
  await charge()
  await charge()
  const mistaken = await charge()
  await voidCharge(mistaken.body.id)
  await other.charge()
  const { body } = await service.call('GET', `/agents/${agentId}/history`)
  const days = body.days as Day[]
  expect(days.slice(-3).map(({ charges }) => charges)).toEqual([0, 1, 2])
})

it('returns 404 for an unknown agent', async () => {
  expect((await service.call('GET', `/agents/${crypto.randomUUID()}/history`)).body.code).toBe(
    'agent_not_found',
  )
})
