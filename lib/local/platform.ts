import { Cron } from 'croner'
import { missingKeyVersions } from '../vault/breaker/key-version-check.ts'
import { readKeyVersionState } from '../vault/breaker/switch-queries.ts'
import { escrowSettings } from '../vault/keyring.ts'
import { yieldDayOf } from '../vault/stacking/admission.ts'
import { ACCOUNT_KEYS, type AccountKeys, accountKeys, accountWallet } from './accounts.ts'
import { buildWorkers } from './build.ts'
import { type Clock, createClock } from './clock.ts'
import { layOutConsole } from './console.ts'
import { openDatabase } from './database.ts'
import { serveInbox } from './inbox.ts'
import { firstInvites, type Invite } from './invites.ts'
import { startOnPort } from './loopback.ts'
import { connectThrough, serveNeon } from './neon/server.ts'
import { sendOut } from './outgoing.ts'
import { requireFreePorts, type Settings, usedPorts } from './settings.ts'
import { signingKeys } from './signing-keys.ts'
import { openEmbeddedSolana, useCluster } from './solana.ts'
import { openState } from './state.ts'
import type { WorkerLog } from './workers/options.ts'
import { startWorkers } from './workers/start.ts'

/** A running local platform. */
type Platform = {
  /** The service's base URL, with its version segment. */
  baseUrl: string
  /** The URL of Neon's SQL over HTTP; undefined if the Workers call Neon itself. */
  neonUrl: string | undefined
  database: string
  /** The URL of Solana's JSON-RPC; below, the staking token's mint. */
  solanaUrl: string
  mint: string
  /** The URL of the webhook inbox; undefined if no webhook may be on this machine. */
  inboxUrl: string | undefined
  /** The invite codes that the first start issues; empty on later starts. */
  inviteCodes: string[]
  /** The keys of the development wallet; undefined with a real cluster. */
  accounts: AccountKeys | undefined
  clock: Clock
  /** Makes the Clock run one job now. */
  runJob: Awaited<ReturnType<typeof startWorkers>>['runJob']
  stop(): Promise<void>
}

type StartOptions = {
  /** Empties the state folder first. */
  fresh?: boolean
  /** Keeps the keys when it empties the folder, so that mint, sessions and webhook signatures stay valid. */
  keepsKeys?: boolean
  /** Invite codes for a new database, instead of new ones. */
  invites?: readonly Invite[]
  /** How far a new platform with an embedded chain begins behind the machine's clock. */
  behindMs?: number
  /** Called at the beginning of each slow step. */
  say?: (doing: string) => void
  /** Called with each log line of a Worker; by default nobody sees them. */
  print?: (log: WorkerLog) => void
  /** The URL where the console asks for an example market (lib/cli/example/offer.ts). */
  exampleUrl?: string | undefined
}

/** The keys in the state folder (signing-keys.ts, solana.ts, accounts.ts). */
const KEYS = ['signing-keys', 'solana-keys', ...ACCOUNT_KEYS]

/**
 * Starts everything: database, Neon server, Workers, crons. If a part fails, it stops the earlier parts.
 * @throws Error that names the invalid port, variable, folder or database
 */
export async function startPlatform(settings: Settings, options: StartOptions = {}): Promise<Platform> {
  const { fresh, keepsKeys, invites, behindMs = 0, say = () => {}, print = () => {}, exampleUrl } = options
  usedPorts(settings)
  const started: { stop(): Promise<void> | void }[] = []
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop()
  }
  try {
    const state = await openState(settings.dataDir, { fresh, preserved: keepsKeys ? KEYS : [] })
    started.push({ stop: state.release })
    // After the lock, which names the process if this platform runs already.
    await requireFreePorts(settings)
    // A real cluster has real time: with an offset from earlier time travel, real locks would open early.
    const clock =
      settings.solanaRpcUrl === undefined
        ? createClock(state.read<number>('clock') ?? -behindMs)
        : createClock()
    if (behindMs > 0) state.write('clock', clock.offset())
    clock.follow((offset) => state.write('clock', offset))
    const { allowLocalWebhooks } = settings
    const building = buildWorkers({ allowLocalWebhooks, say })
    // Handled later, where both results are needed; the first failure is reported.
    building.catch(() => {})
    const cluster =
      settings.solanaRpcUrl === undefined ? undefined : await useCluster(settings.solanaRpcUrl, process.env)
    const { databaseUrl } = settings
    const database = openDatabase({ folder: state.path('postgres'), databaseUrl, say })
    started.push({ stop: () => database.close() })
    database.opened.catch(() => {})
    // Refuse a database of an unreleased version before anything is written.
    if (!database.isNew) await database.opened
    const solana = cluster ?? (await openEmbeddedSolana({ state, clock, port: settings.solanaPort }))
    started.push({ stop: () => solana.close() })
    const workersBuilt = await building
    say('starting the Workers')
    const consoleFolder = state.path('console')
    const { VAULT_MINT: mint } = solana.bindings
    const keys = await signingKeys(state, clock)
    const trusted = { keys: keys.WEBHOOK_PUBLIC_KEYS.split(','), now: clock.now }
    const inbox = allowLocalWebhooks ? await serveInbox(trusted, settings.inboxPort) : undefined
    started.push({ stop: () => inbox?.close() })
    const isEmbedded = settings.solanaRpcUrl === undefined
    // Wallets of a real cluster are the visitor's own.
    const accounts = isEmbedded ? accountKeys(state) : undefined
    const judge = accounts?.[2]
    layOutConsole(consoleFolder, isEmbedded ? 'solana:localnet' : settings.solanaChain, {
      ...(isEmbedded && { chain: { rpcUrl: solana.url, mint } }),
      inboxUrl: inbox?.origin,
      exampleUrl,
      accounts,
    })
    const starting = startOnPort(settings.port, (port) =>
      startWorkers({
        workers: workersBuilt,
        consoleFolder,
        port,
        clock,
        onLog: print,
        bindings: {
          ...keys,
          ...solana.bindings,
          DATABASE_URL: database.url,
          ORACLE_WALLETS: settings.oracleWallets,
          OPERATOR_WALLETS: settings.operatorWallets,
          ATTESTATION_ISSUERS: settings.attestationIssuers,
          JOB_JUDGES: [settings.jobJudges, judge ? accountWallet(judge) : ''].filter(Boolean).join(','),
          API_ORIGIN: `http://localhost:${port}`,
          ARD_PUBLISHER: 'agent.localhost',
          ...(settings.pioneerSpots === undefined ? {} : { PIONEER_SPOTS: settings.pioneerSpots }),
        },
        rateLimits: settings.rateLimits,
        alarms: true,
        isAlone: true,
        outbound: (request) => database.outbound(request) ?? solana.outbound(request) ?? sendOut(request),
        folder: state.path('workers'),
      }),
    )
    started.push({
      stop: () =>
        starting.then(
          (workers) => workers.stop(),
          () => {},
        ),
    })
    // The Workers start in a separate process, in parallel with the database.
    const [workers, handler] = await Promise.all([starting, database.opened])
    const neon = handler && (await serveNeon(handler, settings.neonPort))
    started.push({ stop: () => neon?.close() })
    await nameMissingKeyVersions(neon?.url, solana.bindings)
    const inviteCodes = neon === undefined ? [] : await firstInvites(neon.url, new Date(clock.now()), invites)
    started.push(startCrons(workers.crons, workers.runCron))
    return {
      baseUrl: `http://localhost:${workers.url.port}/v1`,
      neonUrl: neon?.url,
      database: database.description,
      solanaUrl: solana.url,
      mint: solana.bindings.VAULT_MINT,
      inboxUrl: inbox?.origin,
      inviteCodes,
      accounts,
      clock,
      runJob: workers.runJob,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Prints on stderr the key versions that have positions but no keys here: their owners can't withdraw.
 */
async function nameMissingKeyVersions(neonUrl: string | undefined, bindings: Record<string, string>) {
  if (neonUrl === undefined) return
  const { keyVersions } = escrowSettings({
    mint: bindings.VAULT_MINT ?? '',
    authorityAddresses: bindings.VAULT_AUTHORITY_ADDRESSES ?? '',
    recoveryAddresses: bindings.VAULT_RECOVERY_ADDRESSES ?? '',
  })
  const recorded = await readKeyVersionState(connectThrough(neonUrl), yieldDayOf(new Date()))
  for (const keyVersion of missingKeyVersions(keyVersions, recorded)) {
    console.error(`VAULT_AUTHORITY_ADDRESSES lacks key version ${keyVersion}, which still has positions`)
  }
}

/** Runs each cron on time (UTC), since Miniflare does not. Skips a cron whose last run has not ended. */
function startCrons(
  crons: { group: string; cron: string }[],
  run: (group: string, cron: string) => Promise<void>,
): { stop(): void } {
  const timers = crons.map(
    ({ group, cron }) =>
      new Cron(
        cron,
        { timezone: 'UTC', protect: true, catch: (error) => console.error(`cron ${group}:`, error) },
        () => run(group, cron),
      ),
  )
  return {
    stop() {
      for (const timer of timers) timer.stop()
    },
  }
}
