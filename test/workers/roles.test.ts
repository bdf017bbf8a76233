import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { type Service, startService } from '../support/service.ts'

const trusted = createWallet()
const roles = { OPERATOR_WALLETS: trusted.publicKey, ORACLE_WALLETS: trusted.publicKey }
let service: Service
beforeAll(async () => {
  service = await startService({ bindings: roles })
})
afterAll(() => service.stop())

it('removes a role at once when the wallet leaves the setting', async () => {
  const owner = await service.signIn()
  const { id } = await register(owner.call)
  const { token } = await service.signIn(trusted)
  const suspend = () =>
    service.call('PATCH', `/agents/${id}`, { token, body: { status: 'suspended', reason: 'x' } })
  const bar = () => service.call('DELETE', `/registry/agents/${trusted.publicKey}`, { token })
  const queue = () => service.call('GET', '/reputation/oracle/queue', { token })
  expect([(await suspend()).status, (await bar()).status, (await queue()).status]).toEqual([200, 404, 200])
  await service.redeploy({ OPERATOR_WALLETS: '', ORACLE_WALLETS: '' })
  // To one who is no operator, a stranger's agent does not exist.
  expect([(await suspend()).status, (await bar()).status, (await queue()).status]).toEqual([403, 403, 403])
  expect((await service.call('GET', '/events', { token })).status).toBe(200)
})
