import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ stopped: true })
})
afterAll(() => service.stop())

const times = (count: number, ask: () => Promise<void>) => Promise.all(Array.from({ length: count }, ask))

it('caches a failed deep check for some seconds', async () => {
  const statuses: number[] = []
  const ask = async () => void statuses.push((await service.call('GET', '/health?deep=1')).status)
  const refuse = () => {
    throw new Error('connection refused')
  }
  const calls = await service.countRpc(async () => {
    await service.withFault(refuse, async () => {
      await ask()
      await times(19, ask)
    })
    await ask()
  })
  expect(statuses).toEqual(Array(21).fill(503))
  expect(calls).toBeLessThanOrEqual(2)
  await service.clock.travelTo(service.clock.now() + 6_000)
  await ask()
  expect(statuses.at(-1)).toBe(200)
})

it.each(['/vault/terms', '/health?deep=1'])(
  'calls once in some seconds when many ask for %s',
  async (path) => {
    const ask = async () => expect((await service.call('GET', path)).status).toBe(200)
    const twenty = async () => {
      await ask()
      await times(19, ask)
    }
    expect(await service.countRpc(twenty)).toBeLessThanOrEqual(2)
    expect(await service.countSql(twenty)).toBeLessThanOrEqual(2)
    // Not for long.
    await service.clock.travelTo(service.clock.now() + 6_000)
    expect(await service.countRpc(ask)).toBe(1)
  },
)
