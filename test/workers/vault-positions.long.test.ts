import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Body, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

const times = <T>(count: number, action: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, action))

// The statement's own races are in test/postgres/position-quota.test.ts.
it('allows fifty positions an owner, in any race; a withdrawal frees a place', async () => {
  const staker = await createStaker(service)
  expect((await staker.relay(await staker.stack(100 * ONE, 7))).status).toBe(200)
  await staker.vault()
  for (let round = 0; round < 9; round += 1) {
    for (const built of await times(5, () => staker.stack(ONE, 7))) await staker.send(built)
    await staker.vault()
  }
  const last = await times(2, () => staker.stack(ONE, 7))
  for (const built of last) await staker.send(built)
  await staker.vault()
  const racing = await times(8, () => staker.stack(ONE, 7))
  const built = racing.filter(({ status }) => status === 200)
  expect(built).toHaveLength(2)
  for (const { status, body } of racing.filter((answer) => !built.includes(answer))) {
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'quota_exceeded' })
    expect(body.detail).toContain('50')
  }
  for (const one of built) await staker.send(one)
  const positions = (await staker.vault()).body.positions as Body[]
  expect(positions).toHaveLength(50)
  expect((await staker.stack(ONE, 7)).body.code).toBe('quota_exceeded')
  await travel(service, 8 * DAY)
  await staker.signInAgain()
  await staker.send(await staker.unstack(Number(positions[0]?.id)))
  await staker.vault()
  expect((await staker.stack(ONE, 7)).status).toBe(200)
  expect((await staker.stack(ONE, 7)).body.code).toBe('quota_exceeded')
})
