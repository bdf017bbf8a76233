import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateSecretsKey } from '../../lib/tools/keys/webhooks.ts'
import { deliveryStates } from '../../schema/values.ts'
import { createEndpoint } from '../support/endpoints.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { openInbox } from '../support/webhooks.ts'

const DAY = 86_400_000
const FIRST_KEY = generateSecretsKey()

let service: Service
let inbox: ReturnType<typeof openInbox>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'jobs'], bindings: FIRST_KEY })
  inbox = openInbox(service)
})
afterAll(() => service.stop())

it('lists deliveries of each status, of all endpoints or one, with cursors', async () => {
  const owner = await createEndpoint(service, inbox)
  await owner.call('PATCH', owner.path, { enabled: false })
  for (let hired = 0; hired < 3; hired++)
    await owner.call('POST', '/agents/hire', { agentId: (await inbox.createAgent()).agent.id })
  const first = await owner.call('GET', '/events/deliveries?limit=1')
  const query = `update deliveries set status = $1,
    next_attempt_at = case when $1 = 'pending' then timestamptz '2026-01-01' end where endpoint_id = $2`
  for (const state of deliveryStates) {
    const stored = state === 'held' ? 'pending' : state
    await service.database.engine.run([{ query, params: [stored, owner.endpoint.id] }])
    for (const filter of ['', `&endpointId=${owner.endpoint.id}`]) {
      const list = async (more: string) => {
        const path = `/events/deliveries?limit=5&status=${state}${filter}${more}`
        return ((await owner.call('GET', path)).body.deliveries as Body[]).map(({ status }) => status)
      }
      // Deliveries to a paused endpoint have the status `held`.
      const found = state === 'pending' ? [] : [state, state, state]
      expect(await list('')).toEqual(found)
      expect(await list(`&cursor=${first.body.nextCursor}`)).toEqual(found.slice(1))
    }
  }
})

it('re-encrypts secrets with a new key in the daily job, also the previous secrets', async () => {
  const owner = await createEndpoint(service, inbox)
  await owner.call('POST', `${owner.path}/secret`)
  const { agent } = await inbox.createAgent()
  await service.redeploy(generateSecretsKey(FIRST_KEY.WEBHOOK_SECRETS_KEY))
  await service.clock.travelTo(service.clock.now() + DAY / 2)
  await service.runJob('daily')
  const query = 'select secret, previous_secret from endpoints where secret is not null and id = $1'
  const [found] = await service.database.engine.run([{ query, params: [owner.endpoint.id] }])
  expect(found?.rows[0]?.map((secret) => secret?.split(':')[0])).toEqual(['2', '2'])
  const ofAgent = 'select secret from agent_webhook_secrets where agent_id = $1'
  const [kept] = await service.database.engine.run([{ query: ofAgent, params: [agent.id] }])
  expect(kept?.rows).toEqual([[expect.stringMatching(/^2:/)]])
})
