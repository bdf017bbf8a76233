import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openLocalChain } from '../../../lib/cli/solana/local-chain.ts'
import { createWallet, type KeyWallet, signerOf } from '../../../lib/cli/wallet.ts'
import {
  base58,
  type Client,
  type ClientOptions,
  createClient,
  type TransactOptions,
} from '../../../lib/client/index.ts'
import { shuffled } from '../../support/random.ts'
import { quantile } from '../harness/load.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { atEnd } from '../harness/stops.ts'
import { startPlatform } from './platform.ts'

const FUND = 'fund'
const FIRST_FUND = 'fund, the first of a client, which loads the facts'
const FUND_CALLS = 'the same calls, signed without a check'
const LOGIN = 'login'
const LOGIN_CALLS = 'the same calls, signed without comparing the text'

/** The rows that this part promises. */
export const subjects = (): string[] => [FUND, FIRST_FUND, FUND_CALLS, LOGIN, LOGIN_CALLS]

const ROUNDS = amount(100, 5)
const PAUSE_MS = 100
const ONE_CRED = 1_000_000_000n
/** The most that verification may add. */
const LIMIT = 1.05

/** The client's funding and login at the local platform, against the same calls without verification. */
export async function client(): Promise<Section[]> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-bench-client-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const platform = await startPlatform({ DATA_DIR: folder })
  const costs = await inTurn(await flowsOf(platform))
  await platform.stop()
  const ratio = (ours: string, calls: string) =>
    (costs.get(ours)?.ms ?? Number.NaN) / (costs.get(calls)?.ms ?? Number.NaN)
  return [
    {
      title: 'The client with its verification, until the service has sent the transaction',
      columns: ['', 'ms', 'CPU ms of the client'],
      rows: [...costs].map(([name, { ms, cpuMs }]) => [name, ms, cpuMs]),
      goals: [
        { what: 'fund : the same calls', measured: ratio(FUND, FUND_CALLS), limit: LIMIT, is: 'at most' },
        { what: 'login : the same calls', measured: ratio(LOGIN, LOGIN_CALLS), limit: LIMIT, is: 'at most' },
      ],
      notes: [
        `first fund : the same calls ${ratio(FIRST_FUND, FUND_CALLS).toFixed(2)}`,
        'lower quartiles instead of medians',
      ],
    },
  ]
}

type Cost = { ms: number; cpuMs: number }

/** Runs a flow once, and returns the cost of its measured part. */
type Flow = () => Promise<Cost>

/** Begins to measure. @returns a function that returns the cost so far */
function startMeasure(): () => Cost {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }
  }
}

/**
 * Measures flows in rounds, after one that warms up. The order is drawn anew and each flow begins after a
 * pause, since the platform still works on what the former flow has sent.
 * @returns the lower quartiles by name: the platform's jobs delay about half of the runs
 */
async function inTurn(flows: Record<string, Flow>): Promise<Map<string, Cost>> {
  const runs = Object.entries(flows).map(([name, flow]) => ({ name, flow, costs: [] as Cost[] }))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { flow, costs } of shuffled(runs)) {
      await setTimeout(PAUSE_MS)
      const cost = await flow()
      if (round > 0) costs.push(cost)
    }
  }
  return new Map(
    runs.map(({ name, costs }) => [
      name,
      { ms: lowerQuartile(costs.map(({ ms }) => ms)), cpuMs: lowerQuartile(costs.map(({ cpuMs }) => cpuMs)) },
    ]),
  )
}

const lowerQuartile = (values: number[]): number => quantile(values, 0.25)

async function flowsOf(platform: { origin: string; rpcUrl: string }): Promise<Record<string, Flow>> {
  const chain = openLocalChain(platform.rpcUrl)
  const baseUrl = `${platform.origin}/v1`
  // The platform names itself by the host that it prints.
  const origin = platform.origin.replace('127.0.0.1', 'localhost')
  const [owner, hirer] = [createWallet(), createWallet()]
  const clientOf = (wallet: KeyWallet, options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, origin, wallet: signerOf(wallet), sleep: () => setTimeout(10), ...options })
  const deployment = await clientOf(owner).call('GET /payments/deployment')
  await chain.fund(owner.publicKey, deployment.mint, 0n)
  await chain.fund(hirer.publicKey, deployment.mint, 1_000_000n * ONE_CRED)
  const [asOwner, asHirer] = [clientOf(owner), clientOf(hirer)]
  const body = { name: 'Measured', agentType: 'autonomous' as const, supportedLayers: [17] }
  const agent = await asOwner.call('POST /agents/register', { body })
  await asOwner.openCollector()
  const { id: hireId } = await asHirer.hire({ agentId: agent.id })
  const order = { hireId, amount: ONE_CRED }
  const session = await asHirer.login()
  const { publicKey, signMessage, signTransaction } = signerOf(hirer)

  const fundBy = (client: () => Client) => () =>
    untilSent((flow) => client().fund({ ...order, owner: owner.publicKey }, flow))
  return {
    [FUND]: fundBy(() => asHirer),
    [FIRST_FUND]: fundBy(() => clientOf(hirer, { session, deployment })),
    [FUND_CALLS]: async () => {
      const costSoFar = startMeasure()
      const { id, transaction } = await asHirer.call('POST /payments/budgets', { body: order })
      const signed = signTransaction(Buffer.from(transaction, 'base64'))
      const sent = { id, transaction: signed.toString('base64') }
      await asHirer.call('POST /payments/transactions', { body: sent })
      const cost = costSoFar()
      await asHirer.waitForPayment(id)
      return cost
    },
    [LOGIN]: async () => {
      const costSoFar = startMeasure()
      await clientOf(hirer).login()
      return costSoFar()
    },
    [LOGIN_CALLS]: async () => {
      const costSoFar = startMeasure()
      const { nonce, challenge } = await asHirer.call('GET /auth/handshake', { query: { publicKey } })
      const signature = base58.encode(signMessage(Buffer.from(challenge)))
      await asHirer.call('POST /auth/handshake', { body: { nonce, publicKey, signature } })
      return costSoFar()
    },
  }
}

/** Runs a transaction's flow to its end, and returns its cost until the service has sent it. */
async function untilSent(flow: (options: TransactOptions) => Promise<unknown>): Promise<Cost> {
  const costSoFar = startMeasure()
  let cost = { ms: Number.NaN, cpuMs: Number.NaN }
  const onStep: TransactOptions['onStep'] = ({ step }) => {
    if (step === 'wait') cost = costSoFar()
  }
  await flow({ onStep })
  return cost
}
