import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

it.each(['/vault/terms', '/health?deep=1'])(
  'many who ask for %s at once cost a call in seconds',
  async (path) => {
    const ask = async () => expect((await service.call('GET', path)).status).toBe(200)
    const twenty = async () => {
      for (let n = 0; n < 20; n++) await ask()
    }
    expect(await service.countRpc(twenty)).toBeLessThanOrEqual(2)
    expect(await service.countSql(twenty)).toBeLessThanOrEqual(2)
    // Not for long.
    await service.clock.travelTo(service.clock.now() + 6_000)
    expect(await service.countRpc(ask)).toBe(1)
  },
)
