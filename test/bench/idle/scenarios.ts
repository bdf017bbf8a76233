import { ASKS_EVERY_MS, ASKS_FOR_MS } from '../../../lib/console/kit/attention.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { register } from '../../support/agents.ts'
import { idOf, routesScript } from '../../support/listed-routes.ts'
import { createHirer, createPayer, hireAgent, type Payer } from '../../support/payer.ts'
import type { Body } from '../../support/service.ts'
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
  /** Whether jobs have deadlines, so that the Clock takes the silence of `work` for an outage. */
  hasJobs?: true
}

export const DAYS = amount(30, 1)
const HIRES = amount(100, 4)
const BACKLOG = amount(100, 4)
const AGENTS = amount(10, 2)
const LISTENERS = amount(10, 2)
const JOBS = amount(10, 2)
const CRAWLED = amount(10_000, 100)
/** Reads that a crawler sends at once. */
const AT_ONCE = 20

const nobody = () => []

/** When so many visitors a day come, who come when they like: the same times at each run. */
function wheneverTheyLike(from: number, perDay: number): number[] {
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  return Array.from({ length: perDay * DAYS }, () => from + random() * DAYS * DAY_MS)
}

const JOB_PRICE = 1_000_000_000

type Sides = { owner: Payer; hirer: Payer; agentId: string; approves: boolean }

/** A job from its order to its delivery, and its approval unless the hirer is silent. */
function visitsOfJob(at: number, { owner, hirer, agentId, approves }: Sides): Visit[] {
  let job: Body = {}
  const act = async (side: Payer, path: string, body?: Body) => {
    await side.signInAgain()
    const answer = await side.call('POST', path, { body })
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.text}`)
    job = answer.body
  }
  const order = { agentId, title: 'Translate', brief: 'A page', price: JOB_PRICE, reference: String(at) }
  const acts: [hours: number, act: Visit['act']][] = [
    [0, () => act(hirer, '/jobs', order)],
    [1, () => act(owner, `/jobs/${job.id}/accept`, { termsHash: job.termsHash })],
    [
      2,
      async () => {
        await hirer.signInAgain()
        await hirer.relay(await hirer.post('jobs/fund', { jobId: job.id }))
      },
    ],
    [8, () => act(owner, `/jobs/${job.id}/delivery`, { text: 'The page in German' })],
    ...(approves ? [[20, () => act(hirer, `/jobs/${job.id}/approve`)] as [number, Visit['act']]] : []),
  ]
  return acts.map(([hours, act]) => ({ at: at + hours * HOUR_MS, act }))
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
      return (from) => wheneverTheyLike(from, 20).map((at) => ({ at, act: visit }))
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
    // Of two hirers one approves, and the other is silent: its deadline pays the agent.
    name: `${JOBS} jobs a day`,
    goal: { hours: 25, beyondVisits: true },
    hasJobs: true,
    prepare: async ({ service }) => {
      const owner = await createPayer(service)
      const { id: agentId } = await register(owner.call, { feeModel: 'flat', feeAmount: 1 })
      const terms = { minPrice: JOB_PRICE, workMinutes: 60, judges: ['none'] }
      await owner.call('PUT', `/agents/${agentId}/job-terms`, { body: terms })
      await owner.land(owner.openCollector())
      const hirers = await Promise.all([1, 2].map(() => createPayer(service, JOB_PRICE * JOBS * DAYS)))
      for (const hirer of hirers) await hirer.land(hirer.post('jobs/refund-account'))
      return (from) => {
        const visits = wheneverTheyLike(from, JOBS).flatMap((at, index) =>
          visitsOfJob(at, { owner, agentId, hirer: hirers[index % 2] as Payer, approves: index % 2 === 0 }),
        )
        const collect = async () => {
          await owner.signInAgain()
          const built = await owner.post('jobs/collect')
          if (built.status === 200) await owner.relay(built)
        }
        const daily = Array.from({ length: 2 * DAYS }, (_, half) => from + ((half + 1) * DAY_MS) / 2)
        const end = from + DAYS * DAY_MS
        return [...visits, ...daily.map((at) => ({ at, act: collect }))].filter(({ at }) => at < end)
      }
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
      return (from) => wheneverTheyLike(from, 20).map((at) => ({ at, act: pay }))
    },
  },
]
