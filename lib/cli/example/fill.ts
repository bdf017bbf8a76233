import { type Client, createClient } from '../../client/index.ts'
import type { AccountKeys } from '../../local/accounts.ts'
import { serveOnLoopback } from '../../local/loopback.ts'
import { DAY_MS } from '../../time.ts'
import { openLocalChain } from '../solana/local-chain.ts'
import { createWallet, type KeyWallet, signerOf, walletFromSeed } from '../wallet.ts'
import { type ExampleAgent, OWNERS, WORKING } from './agents.ts'
import { ChainWaits } from './chain-waits.ts'
import { type ExampleMarket, ONE_CRED, runDay } from './day.ts'
import { makeJobs } from './jobs.ts'
import { exampleWallet, namedIds } from './named.ts'
import { makeReferenceRows } from './reference.ts'
import type { ReferenceContext } from './reference-context.ts'
import { HIRERS } from './story.ts'
import type { WorkingAgent } from './worker.ts'

/** An empty local platform, whose clock is behind the machine's. */
type Platform = {
  baseUrl: string
  rpcUrl: string
  /** Neon's SQL over HTTP of its embedded database. */
  neonUrl: string
  mint: string
  /** By its clock, in Unix milliseconds. */
  now: () => number
  runJob: (kind: 'daily' | 'looks') => Promise<unknown>
  /** An address on this machine that answers, if there is one. */
  liveUrl: string | undefined
  /** The URL of the webhook inbox, if any. */
  inboxUrl: string | undefined
  /** The keys of the development wallet. The second account owns the agent that works by itself. */
  accounts: AccountKeys
}

const OWNER_CRED = 100n * ONE_CRED
const HIRER_CRED = 20_000n * ONE_CRED
const ACCOUNT_CRED = 10_000n * ONE_CRED
/** The time until a transaction is final on the local chain, and a second more. */
const FINAL_MS = 14_000
/** The last day on which the endpoint `down` answers. */
const LAST_DAY_UP = 29
/** The time after midnight (UTC) of a day's first job run, and a minute more. */
const DAILY_MS = 8 * 60_000

/**
 * Fills a platform with an example market: a month of agents, hires, charges, collections, ratings, stakes
 * and credentials. Development wallets act through the public API, day by day up to the machine's time.
 * @param onDay called after each day
 * @returns the agent that works by itself from then on
 * @throws AgentCredError
 */
export async function fillExample(platform: Platform, onDay: (day: number) => void): Promise<WorkingAgent> {
  const { baseUrl, rpcUrl, neonUrl, mint, now, liveUrl, inboxUrl, runJob, accounts } = platform
  const chain = openLocalChain(rpcUrl)
  const chainWaits = new ChainWaits(() => chain.travelTo(now() + FINAL_MS))
  const enter = async (cred: bigint, wallet: KeyWallet = createWallet()): Promise<Client> => {
    await chain.fund(wallet.publicKey, mint, cred)
    return createClient({ baseUrl, wallet: signerOf(wallet), sleep: chainWaits.sleep, now })
  }
  const [hirerSeed, seed, judgeSeed] = accounts.map(({ d }) => Buffer.from(d, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const owners = await Promise.all(
    OWNERS.map((agents, owner) => {
      if (owner === 0) return enter(HIRER_CRED, exampleWallet)
      return enter(OWNER_CRED, agents.some(isWorking) ? walletFromSeed(seed) : createWallet())
    }),
  )
  const hirers = await Promise.all(Array.from({ length: HIRERS }, () => enter(HIRER_CRED)))
  const server = await serveOnLoopback('An example endpoint', async () => new Response('It works.'), 0)
  let isUp = true
  const goDown = async () => {
    if (isUp) await server.close()
    isUp = false
  }
  const urls = { live: liveUrl, down: `${server.origin}/` }
  const market: ExampleMarket = { owners, hirers, chainWaits, urls, agentIds: new Map(), hireIds: new Map() }
  const ids = namedIds(neonUrl)
  const context: ReferenceContext = { market, baseUrl, ids, chain, mint, now, inboxUrl }
  try {
    await Promise.all(owners.map((owner) => chainWaits.run(() => owner.openCollector())))
    for (let day = 0; ; day += 1) {
      await runDay(day, market)
      await makeReferenceRows(day, context)
      if (day === LAST_DAY_UP) await goDown()
      onDay(day)
      const midnight = (Math.floor(now() / DAY_MS) + 1) * DAY_MS
      if (midnight + DAILY_MS >= Date.now()) break
      await chain.travelTo(midnight + DAILY_MS)
      await runJob('daily')
      await runJob('looks')
    }
  } finally {
    await goDown()
  }
  const working = OWNERS.flat().find(isWorking)
  const [agentId, owner] = [
    working && market.agentIds.get(working),
    owners.find((_, index) => OWNERS[index]?.some(isWorking)),
  ]
  if (!agentId || !owner) throw new Error(`the example market has no agent ${WORKING}`)
  const [hirer, judge] = await Promise.all([
    enter(ACCOUNT_CRED, walletFromSeed(hirerSeed)),
    enter(0n, walletFromSeed(judgeSeed)),
  ])
  await makeJobs({ hirer, owner, judge, agentId, chainWaits })
  // Another transaction may have moved the clock seconds ahead of the machine's; it stays ahead then.
  if (now() < Date.now()) await chain.travelTo(Date.now())
  return { agentId, seed: seed.toString('base64') }
}

/** Returns whether an agent is the one that works by itself. */
const isWorking = ({ name }: ExampleAgent): boolean => name === WORKING
