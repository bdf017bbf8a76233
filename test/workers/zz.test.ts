import { afterAll, beforeAll, it } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { rideAlarms } from '../support/alarms.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, ONE } from '../support/staker.ts'
let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'jobs'] })
})
afterAll(() => service.stop())
it('x', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(ONE, 7)
    console.log((await staker.relay(built)).status, new Date(service.clock.now()))
    console.log(await rowsOf(service, 'select status, due_at, created_at from vault_intents'))
    for (let i = 0; i < 3; i++) {
    const from = service.logs.lines.length
    console.log((await rideAlarms(service, service.clock.now() + 6000)).map((x) => new Date(x)), new Date(service.clock.now()))
    console.log(JSON.stringify(service.logs.lines.slice(from).filter(l => l.job), null, 0))
    }
    console.log(await rowsOf(service, 'select status, due_at from vault_intents'))
}, 60000)
