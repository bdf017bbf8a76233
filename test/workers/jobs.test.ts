import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
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
  await service.runCron('jobs', '*/10 * * * *')
  expect(await spentNonces()).toBe(2)
  service.clock.travelTo(service.clock.now() + 301_000)
  await service.signIn()
  await service.runCron('jobs', '*/10 * * * *')
  expect(await spentNonces()).toBe(1)
})
