import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { createAgent, createPayer, hireAgent } from '../support/payer.ts'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'
import { createStaker, ONE } from '../support/staker.ts'

/* A transaction is not sent until its check is scheduled on the Clock. */

/** The jobs Worker with a Clock that answers nobody while its setting says so. */
const JOBS = `import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
export default { fetch: () => new Response(null, { status: 404 }), queue() {} }
export class LocalClock extends WorkerEntrypoint { moveTo() {} }
export class Clock extends DurableObject {}
export class WebhookSecrets extends WorkerEntrypoint {}
export class ClockEntrypoint extends WorkerEntrypoint {
  wakeBy() {
    if (this.env.CLOCK_LOCATION === 'down') throw new Error('no answer')
  }
}`
const DOWN = { CLOCK_LOCATION: 'down' }

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'payments', 'jobs'],
    scripts: { jobs: JOBS },
  })
})
afterAll(() => service.stop())

/** Relays, and counts what was sent to the network. */
async function relayed(relay: () => Promise<Answer>): Promise<{ answer: Answer; sent: number }> {
  let sent = 0
  const counting: Fault = async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    if (method === 'sendTransaction') sent += 1
    return service.solana.outbound(request) ?? new Response(null, { status: 404 })
  }
  return { answer: await service.withRpcFault(counting, relay), sent }
}

/** Relays while the Clock is down, then again. */
async function expectSafeRetry(relay: () => Promise<Answer>) {
  await service.redeploy(DOWN)
  // Also the second time, when the message is recorded.
  for (const _ of [1, 2]) {
    const { answer, sent } = await relayed(relay)
    expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
    expect(sent).toBe(0)
  }
  await service.redeploy({})
  const { answer, sent } = await relayed(relay)
  expect(answer.status).toBe(200)
  expect(sent).toBe(1)
}

describe('sends nothing while the Clock is down, and sends it on repetition:', () => {
  it('a stake that the service signs first', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(ONE, 7)
    await expectSafeRetry(() => staker.relay(built))
  })

  it('one that it signs last', async () => {
    const staker = await createStaker(service)
    await staker.relay(await staker.stack(ONE, 7))
    const built = await staker.first.stack(ONE, 7)
    const signed = staker.signFirst(built)
    await expectSafeRetry(() => staker.relaySigned(built, signed))
  })

  it('a payment', async () => {
    const { agentId } = await createAgent(service)
    const hirer = await createPayer(service)
    const built = await hirer.fund(await hireAgent(hirer, agentId, {}), 1_000)
    const submission = { id: built.body.id, transaction: hirer.signFirst(built) }
    await expectSafeRetry(() => hirer.post('transactions', submission))
  })
})

it('withholds a stake’s signature while the Clock is down, not a claim’s', async () => {
  const staker = await createStaker(service)
  await staker.relay(await staker.stack(ONE, 7))
  await staker.vault()
  await service.redeploy(DOWN)
  expect((await staker.stack(ONE, 7)).status).toBe(503)
  await rowsOf(
    service,
    "update positions set staked_at = staked_at - interval '8 days' where owner = $1",
    staker.owner,
  )
  expect((await staker.unstack(0)).status).toBe(200)
  await service.redeploy({})
})
