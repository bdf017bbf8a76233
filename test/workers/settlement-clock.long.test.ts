import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rideAlarms } from '../support/alarms.ts'
import { FINALITY_MS, LIFETIME_MS, rowsOf } from '../support/chain.ts'
import { createAgent, createPayer, hireAgent } from '../support/payer.ts'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'
import { createStaker, ONE, type Staker, travelToNoon } from '../support/staker.ts'

/* Signed transactions are settled by the Clock alone: without reads by their owners, and without cron. */

const HOUR = 3_600_000

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

const ride = (ms: number) => rideAlarms(service, service.clock.now() + ms)

/** What the database holds, without a read that would settle it. */
const recorded = async (built: Answer, table = 'vault_intents') =>
  (await rowsOf(service, `select status from ${table} where id = $1`, String(built.body.id)))[0]?.[0]

const openStacks = async ({ owner }: Staker) =>
  (await rowsOf(service, 'select open_stacks from vaults where owner = $1', owner))[0]?.[0]

const failing: Fault = () => new Response(null, { status: 500 })

/** The chain answers, but for one method: that fails before or after it has done what it is asked for. */
const breaks =
  (method: string, isDone: boolean): Fault =>
  async (request) => {
    const asked = (await request.clone().json()) as { method: string }
    if (asked.method !== method) return service.solana.outbound(request) ?? failing(request)
    if (isDone) await service.solana.outbound(request)
    return failing(request)
  }

/** Lets the Clock run until the database shows the state: a request may schedule after its answer. */
const rideUntil = (ms: number, read: () => Promise<unknown>, expected: string) =>
  ride(ms).then(() =>
    expect
      .poll(async () => {
        await ride(0)
        return read()
      })
      .toBe(expected),
  )

/** A wallet with a vault: the next stack needs no opening of one. */
async function createHolder(): Promise<Staker> {
  const staker = await createStaker(service)
  expect((await staker.relay(await staker.stack(ONE, 7))).status).toBe(200)
  await rideUntil(6_000, () => openStacks(staker), '0')
  return staker
}

describe('a sent transaction is settled', () => {
  it('five seconds later', async () => {
    const staker = await createHolder()
    for (const built of [await staker.stack(ONE, 7), await staker.first.stack(ONE, 30)]) {
      const isFirst = built.body.signing === 'wallet_first'
      expect((await (isFirst ? staker.relayFirst(built) : staker.relay(built))).status).toBe(200)
      expect(await recorded(built)).toBe('open')
      await rideUntil(6_000, () => recorded(built), 'landed')
    }
  })

  it('in payments, too', async () => {
    const { owner, agentId } = await createAgent(service)
    const hirer = await createPayer(service)
    const hireId = await hireAgent(hirer, agentId, {})
    const built = await hirer.fund(hireId, 1_000)
    const submission = { id: built.body.id, transaction: hirer.signFirst(built) }
    expect((await hirer.post('transactions', submission)).status).toBe(200)
    expect(await recorded(built, 'payment_intents')).toBe('open')
    await rideUntil(6_000, () => recorded(built, 'payment_intents'), 'landed')
    expect(owner).toBeDefined()
  })

  it('and wakes the database only at the scheduled time if its wallet has read it', async () => {
    const staker = await createHolder()
    await travelToNoon(service)
    await staker.signInAgain()
    await ride(600_000)
    const built = await staker.stack(ONE, 7)
    await staker.relay(built)
    expect(await staker.status(built)).toMatchObject({ status: 'landed' })
    // The scheduled check, and the read of new positions.
    expect(await ride(HOUR)).toHaveLength(2)
  })
})

describe('a signed transaction that was not sent', () => {
  it.each(['service_first', 'wallet_first'])(
    'of %s ends by itself, and frees its reservations',
    async (signing) => {
      const staker = await createHolder()
      const isFirst = signing === 'wallet_first'
      const built = await (isFirst ? staker.first.stack(ONE, 7) : staker.stack(ONE, 7))
      // The Worker is cut off between the record and the network.
      const answer = await service.withRpcFault(breaks('sendTransaction', false), () =>
        isFirst ? staker.relayFirst(built) : staker.relay(built),
      )
      expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
      expect(await openStacks(staker)).toBe('1')
      await ride(LIFETIME_MS + 60_000)
      expect(await recorded(built)).toBe('expired')
      expect(await openStacks(staker)).toBe('0')
    },
  )

  it('is sent by the same request again, and settled', async () => {
    const staker = await createHolder()
    const built = await staker.first.stack(ONE, 7)
    const signed = staker.signFirst(built)
    await service.withRpcFault(breaks('sendTransaction', false), () => staker.relaySigned(built, signed))
    expect((await staker.relaySigned(built, signed)).status).toBe(200)
    await ride(6_000)
    expect(await recorded(built)).toBe('landed')
  })

  it('or sent without an answer, is settled as what became of it', async () => {
    const staker = await createHolder()
    const built = await staker.first.stack(ONE, 7)
    await service.withRpcFault(breaks('sendTransaction', true), () => staker.relayFirst(built))
    await ride(6_000)
    expect(await recorded(built)).toBe('landed')
  })
})

describe('after an hour', () => {
  it.each([
    ['node', (action: () => Promise<unknown>) => service.withRpcFault(failing, action)],
    ['database', (action: () => Promise<unknown>) => service.withFault(failing, action)],
  ])('settles within as long again without the %s, without asking at short intervals', async (_, without) => {
    const staker = await createHolder()
    const built = await staker.stack(ONE, 7)
    await staker.relay(built)
    let tries = 0
    await without(async () => {
      tries = (await ride(HOUR)).length
    })
    expect(await recorded(built)).toBe('open')
    expect(tries).toBeLessThan(16)
    await ride(HOUR)
    expect(await recorded(built)).toBe('landed')
  })
})

it('settles in a later run a transaction that was signed during a run', async () => {
  const [first, second] = [await createHolder(), await createHolder()]
  const early = await first.stack(ONE, 7)
  await first.relay(early)
  const late = await second.stack(2 * ONE, 7)
  let relayed: Answer | undefined
  // The run has read the due rows, and asks the chain.
  const during: Fault = async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    if (method === 'getMultipleAccounts' && relayed === undefined) {
      relayed = {} as Answer
      relayed = await second.relay(late)
    }
    return service.solana.outbound(request) ?? failing(request)
  }
  await service.withRpcFault(during, () => ride(5_100))
  expect(relayed).toMatchObject({ status: 200 })
  expect(await recorded(early)).toBe('landed')
  await ride(FINALITY_MS)
  expect(await recorded(late)).toBe('landed')
})
