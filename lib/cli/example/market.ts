import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInvites } from '../../local/invites.ts'
import { startPlatform } from '../../local/platform.ts'
import type { Settings } from '../../local/settings.ts'
import { readState, writeState } from '../../local/state.ts'
import type { WorkerLog } from '../../local/workers/options.ts'
import { DAY_MS } from '../../time.ts'
import { DAYS } from './agents.ts'
import { fillExample } from './fill.ts'
import { type OfferState, serveOffer } from './offer.ts'
import { startWork, type WorkingAgent } from './worker.ts'

export type Platform = Awaited<ReturnType<typeof startPlatform>>

type Options = {
  /** Empties the state folder first. */
  fresh: boolean
  /** Fills the market at once, if it is empty. */
  example: boolean
  /** Called at the beginning of each slow step. */
  say: (doing: string) => void
  /** Called with each log line of a Worker. */
  print: (log: WorkerLog) => void
  /** Called with a platform that was restarted for its example market, once that is filled. */
  begunAnew: (platform: Platform) => void
}

/** How far a platform's clock is behind the machine's when the filling begins. */
const BEHIND_MS = DAYS * DAY_MS
/** The entry of the state folder with the agent that works by itself. */
const WORKER = 'example-agent'
/** A clock that is further behind belongs to an unfinished filling. */
const UNFINISHED_MS = DAY_MS / 2

/**
 * Starts a platform that can fill its market with examples. Time only goes forward, so a month of history
 * needs a platform that began a month ago. An empty platform is restarted with a clock that is behind; its
 * keys and invite codes stay, so that printed ones remain valid. An unfinished market is emptied and filled
 * again. There is no example market if a setting names a database or a chain.
 */
export async function startMarket(settings: Settings, { fresh, example, say, print, begunAnew }: Options) {
  const { dataDir } = settings
  const isPossible = settings.databaseUrl === undefined && settings.solanaRpcUrl === undefined
  if (example && !isPossible) throw new Error('--example needs the embedded database and the embedded chain')
  const isUnfinished = (readState<number>(dataDir, 'clock') ?? 0) < -UNFINISHED_MS
  const isNew = fresh || isUnfinished || !existsSync(join(dataDir, 'postgres'))

  let progress: OfferState | undefined
  const current = async (): Promise<OfferState> =>
    progress ?? { state: (await isEmpty(await running)) ? 'offered' : 'taken' }
  // For port 0 the system chooses a port, which the platform keeps after its restart.
  let used = settings
  const origins = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${used.port}`)
  let isStopping = false
  /** Prints why the market was not filled, unless the platform is stopping. */
  const printFailure = (filling: Promise<void>) =>
    filling.catch((error) => {
      if (!isStopping) console.error(`The market was not filled: ${error.message}`)
    })
  const fill = () => void printFailure(fillAnew())
  const offer = isPossible ? await serveOffer({ origins, current, fill }) : undefined
  const start = async (begun: Parameters<typeof startPlatform>[1]) => {
    const platform = await startPlatform(used, { ...begun, say, print, exampleUrl: offer?.origin })
    used = { ...used, ...portsOf(platform, used) }
    return platform
  }

  const fillNow = async () => {
    progress = { state: 'filling', day: 0, days: DAYS }
    try {
      const {
        baseUrl,
        neonUrl = '',
        solanaUrl: rpcUrl,
        mint,
        clock,
        inboxUrl,
        runJob,
        accounts,
      } = await running
      if (!accounts) throw new Error('the platform has no development wallet')
      say(`filling the market with sample data: ${DAYS} days`)
      const liveUrl = inboxUrl && `${inboxUrl}/example`
      const filling = { baseUrl, rpcUrl, neonUrl, mint, now: clock.now, liveUrl, inboxUrl, runJob, accounts }
      const worker = await fillExample(filling, (day) => {
        progress = { state: 'filling', day, days: DAYS }
      })
      writeState(dataDir, WORKER, worker)
      endWork = startWork(await running, worker)
      say('the market is filled')
      progress = { state: 'made' }
    } catch (error) {
      progress = { state: 'failed' }
      throw error
    }
  }
  let endWork = async () => {}
  const lost = Promise.withResolvers<never>()
  // Handled here, in case nobody awaits it.
  lost.promise.catch(() => {})
  const beginAnew = async (platform: Platform): Promise<Platform> => {
    const invites = await readInvites(platform.neonUrl ?? '')
    await platform.stop()
    const begun = await start({ fresh: true, keepsKeys: true, invites, behindMs: BEHIND_MS })
    return { ...begun, inviteCodes: platform.inviteCodes }
  }
  const fillAnew = async () => {
    // The console and --example may have asked at the same time.
    if (progress) return
    progress = { state: 'filling', day: 0, days: DAYS }
    running = running.then(beginAnew)
    running.catch(async (error) => {
      await offer?.close()
      lost.reject(error)
    })
    await fillNow().finally(() => running.then(begunAnew, () => {}))
  }

  const isFilledFirst = isNew && (example || isUnfinished)
  if (isUnfinished) say('the sample data was incomplete: it is made again')
  let running = start({
    fresh: fresh || isUnfinished,
    keepsKeys: !fresh,
    ...(isFilledFirst && { behindMs: BEHIND_MS }),
  })
  const stop = async () => {
    isStopping = true
    await endWork()
    await (await running).stop()
    await offer?.close()
  }
  const platform = await running.catch(async (error) => {
    await offer?.close()
    throw error
  })
  const worker = isNew ? undefined : readState<WorkingAgent>(dataDir, WORKER)
  if (worker) endWork = startWork(platform, worker)
  return {
    platform,
    /** Whether the market is being filled: the requests come from no visitor then. */
    isFilling: () => progress?.state === 'filling',
    /** Settles when the market is filled, or the reason why not was printed. */
    filled: printFailure(isFilledFirst ? fillNow() : example ? fillIfEmpty() : Promise.resolve()),
    /** Rejects if the platform did not restart: nothing runs then. */
    lost: lost.promise,
    stop,
  }

  async function fillIfEmpty() {
    if ((await current()).state === 'offered') return fillAnew()
    say('the market is not empty: nothing was added (to start over: --fresh --example)')
  }
}

/** Returns the ports of a platform. A part that is not on this machine has the port in the settings. */
function portsOf(platform: Platform, settings: Settings) {
  const portOf = (url = 'http://none', port: number) => Number(new URL(url).port) || port
  return {
    port: portOf(platform.baseUrl, settings.port),
    neonPort: portOf(platform.neonUrl, settings.neonPort),
    solanaPort: portOf(platform.solanaUrl, settings.solanaPort),
    inboxPort: portOf(platform.inboxUrl, settings.inboxPort),
  }
}

/** Returns whether nothing has happened on a platform with its own database. */
async function isEmpty({ neonUrl }: Platform): Promise<boolean> {
  const query =
    'select not exists (select from events) and not exists (select from registry_agents) as is_empty'
  const answer = await fetch(neonUrl ?? '', {
    method: 'POST',
    headers: { 'neon-connection-string': 'postgresql://any:any@any.local/any' },
    body: JSON.stringify({ query, params: [] }),
  })
  const { rows }: { rows: string[][] } = await answer.json()
  return rows[0]?.[0] === 't'
}
