import { ASKS_EVERY_MS, ASKS_FOR_MS } from '../../../lib/console/kit/attention.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { register } from '../../support/agents.ts'
import { idOf, routesScript } from '../../support/listed-routes.ts'
import { createHirer, createPayer, hireAgent, type Payer } from '../../support/payer.ts'
import { listen } from '../../support/sockets.ts'
import { PRICE, payableAgent, payerOf } from '../../support/x402-service.ts'
import { amount } from '../harness/quick.ts'
import type { Visit, World } from './world.ts'

/** A deployment, and what happens there in a month. */
export type Scenario = {
  name: string
  /** Hours awake: all of them, or only those beyond visits and their effects. */
  goal: { hours: number; beyondVisits?: boolean }
  /** Prepares the state before the month begins. @returns the visits in it */
  prepare: (world: World) => Promise<(from: number) => Visit[]>
}

export const DAYS = amount(30, 1)
const HIRES = amount(100, 4)
const BACKLOG = amount(100, 4)
const AGENTS = amount(10, 2)
const LISTENERS = amount(10, 2)
const CRAWLED = amount(10_000, 100)
/** Reads that a crawler sends at once. */
const AT_ONCE = 20

const nobody = () => []

/** Twenty visits a day that come when they like, at the same times at each run. */
function wheneverTheyLike(from: number, act: Visit['act']): Visit[] {
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  return Array.from({ length: 20 * DAYS }, () => ({ at: from + random() * DAYS * DAY_MS, act }))
}

export const scenarios: Scenario[] = [
  { name: 'nobody', goal: { hours: 3 }, prepare: async () => nobody },
  {
    name: '20 visits a day',
    goal: { hours: 3, beyondVisits: true },
    prepare: async ({ service }) => {
      const { id } = await register((await service.signIn()).call)
      const visit = async () => {
        await service.call('GET', '/agents')
        await service.call('GET', `/agents/${id}`)
      }
      return (from) => wheneverTheyLike(from, visit)
    },
  },
  {
    name: 'a console tab left open',
    goal: { hours: 6 },
    prepare: async ({ service }) => {
      const { call } = await service.signIn()
      const asks = Math.floor(ASKS_FOR_MS / ASKS_EVERY_MS)
      // As a view does that shows something on its way: as long as the console goes on to ask.
      return (from) =>
        Array.from({ length: asks }, (_, index) => ({
          at: from + HOUR_MS + index * ASKS_EVERY_MS,
          act: () => call('GET', '/events/deliveries'),
        }))
    },
  },
  {
    name: `${5 * LISTENERS} sockets that listen`,
    goal: { hours: 3 },
    prepare: async ({ service }) => {
      for (let wallet = 0; wallet < LISTENERS; wallet++) {
        const { token } = await service.signIn()
        for (let socket = 0; socket < 5; socket++) await listen(service, token)
      }
      return nobody
    },
  },
  {
    // All of an hour come in one hour, and some in every other one: more would only repeat it.
    name: `a crawler of the catalog, ${CRAWLED} requests in an hour`,
    goal: { hours: 3 },
    prepare: async ({ service }) => {
      const routes = Array.from({ length: 50 }, (_, index) => ({
        agentId: idOf(index),
        owner: `owner${index}`,
      }))
      await service.database.engine.execScript(routesScript(routes))
      await service.runJob('catalog')
      const crawl = (count: number) => async () => {
        for (let read = 0; read < count; read += AT_ONCE) {
          const paths = Array.from({ length: Math.min(AT_ONCE, count - read) }, (_, index) =>
            index % 2 === 0
              ? `/x402/discovery/resources?limit=1&offset=${read}`
              : `/x402/discovery/search?query=forecast+${read}&limit=1`,
          )
          for (const answer of await Promise.all(paths.map((path) => service.call('GET', path))))
            if (answer.status !== 200) throw new Error(`not read: ${answer.text}`)
        }
      }
      return (from) =>
        Array.from({ length: DAYS * 24 }, (_, hour) => ({
          at: from + hour * HOUR_MS + HOUR_MS / 2,
          act: crawl(hour === 1 ? CRAWLED : AT_ONCE),
        }))
    },
  },
  {
    name: 'a dead endpoint with a backlog',
    goal: { hours: 15 },
    prepare: async ({ service, receiver, quiet }) => {
      const owner = await service.signIn()
      const agent = await register(owner.call, { webhookUrl: 'https://dead.example.com/events' })
      // It has proven that it is its owner's.
      await quiet()
      receiver.isDead = true
      for (let made = 0; made < BACKLOG; made++) await hireAgent(await service.signIn(), agent.id)
      return nobody
    },
  },
  {
    name: `${AGENTS} agents with endpoints`,
    goal: { hours: 15 },
    prepare: async ({ service }) => {
      const { call } = await service.signIn()
      for (let made = 0; made < AGENTS; made++)
        await register(call, { apiEndpoint: `https://agent${made}.example.com/x`, apiProtocol: 'http' })
      return nobody
    },
  },
  {
    name: `${HIRES} paid hires with webhooks`,
    goal: { hours: 12, beyondVisits: true },
    prepare: async ({ service }) => {
      const owners: { owner: Payer; hires: string[] }[] = []
      for (let made = 0; made < AGENTS; made++) {
        const owner = await createPayer(service)
        const webhookUrl = `https://hooks${made}.example.com/events`
        const { id } = await register(owner.call, { feeModel: 'flat', feeAmount: 1, webhookUrl })
        await owner.land(owner.openCollector())
        const hires: string[] = []
        while (hires.length < HIRES / AGENTS) hires.push((await createHirer(service, id, 1_000)).hireId)
        owners.push({ owner, hires })
      }
      // Once a week each owner charges every hire and collects; what becomes of it, nobody asks.
      const weekly = Array.from({ length: Math.ceil(DAYS / 7) }, (_, week) => week * 7 * DAY_MS)
      return (from) =>
        weekly.flatMap((since) =>
          owners.map(({ owner, hires }, index) => ({
            at: from + since + (index + 1) * 5 * HOUR_MS,
            act: async () => {
              await owner.signInAgain()
              for (const hireId of hires) await owner.charge(hireId, 10)
              await owner.relay(await owner.collect())
            },
          })),
        )
    },
  },
  {
    // A job checks each payment 90 s after it was sent, with any outcome (RECHECK_AFTER_MS).
    name: '20 paid requests a day',
    goal: { hours: 18, beyondVisits: true },
    prepare: async ({ service }) => {
      const agent = await payableAgent(service)
      const payer = await payerOf(service, PRICE * 20 * DAYS)
      const pay = async () => {
        const { body } = await agent.ask('settle', await payer.sign(agent))
        if (!body.success) throw new Error(`not settled: ${body.errorReason}`)
      }
      return (from) => wheneverTheyLike(from, pay)
    },
  },
]
