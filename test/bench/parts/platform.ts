import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portsOf, READY } from '../../support/process.ts'
import { type Bench, startNeighbours } from '../harness/bench.ts'
import type { Action } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { cpuMsOf, descendantsOf, memoryMbOf } from '../harness/process.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { MARKET, seedAgents } from '../harness/seed.ts'
import { atEnd } from '../harness/stops.ts'
import { startWorker } from '../harness/subjects.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LIST: Action = (client) => client.send({ path: '/v1/agents?limit=50' })

/** `npm run dev`: how long it starts, what it holds, and what a request costs there. */
export async function platform(bench: Bench): Promise<Section[]> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-bench-platform-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  // The first start ever also builds the Workers and the database's template, for all later ones.
  await (await startPlatform({ DATA_DIR: join(folder, 'first') })).stop()
  const fresh = await startPlatform({ DATA_DIR: join(folder, 'data') })
  await fresh.stop()
  const again = await startPlatform({ DATA_DIR: join(folder, 'data') })
  const memoryMb = again.memoryMb()
  await again.stop()

  const database = await bench.createDatabase('platform')
  await seedAgents(database, MARKET)
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const production = await startWorker(bench, neighbours, 'agents')
  const local = await startPlatform({ DATA_DIR: join(folder, 'other'), DATABASE_URL: database.url })
  const measured = await alternate(
    [
      { name: PLATFORM, origin: local.origin, process: { cpuMs: local.workerdCpuMs }, action: LIST },
      { name: PRODUCTION, ...production, action: LIST },
    ],
    CPU_ROUNDS,
  )
  await local.stop()
  return [
    {
      title: 'The local platform: start and memory',
      columns: ['', 'seconds to ready', 'MB of Node (RSS)'],
      rows: [
        [FRESH, fresh.seconds, ''],
        [AGAIN, again.seconds, memoryMb],
      ],
      goals: [
        { what: 'seconds, fresh', measured: fresh.seconds, limit: 3.5, is: 'at most' },
        { what: 'seconds, again', measured: again.seconds, limit: 2, is: 'at most' },
        { what: 'MB of Node when ready', measured: memoryMb, limit: 500, is: 'at most' },
      ],
    },
    {
      title: `GET /agents, 50 of ${MARKET.toLocaleString('en')}: the platform’s workerd and the production bundle’s`,
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [PLATFORM]: 1, [PRODUCTION]: 1 }),
      goals: [
        {
          what: 'CPU of workerd, platform : production',
          measured: ratioOf(measured, 'cpuMs', PLATFORM, PRODUCTION),
          limit: 1.3,
          is: 'at most',
        },
      ],
    },
  ]
}

const PLATFORM = 'npm run dev'
const PRODUCTION = 'production bundle'
const FRESH = 'fresh'
const AGAIN = 'again'

/** The rows that this part promises. */
export const subjects = (): string[] => [FRESH, AGAIN, PLATFORM, PRODUCTION]

/** Starts the platform as `npm run dev` does, and waits until it says that it is ready. */
export async function startPlatform(settings: Record<string, string>) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['lib/cli/dev.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      NEON_PORT: '0',
      SOLANA_RPC_PORT: '0',
      INBOX_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the platform did not start')
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // It stops what it has started itself.
    child.kill('SIGTERM')
    await ended
  }
  atEnd(stop)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      // Later output is the Workers' log.
      if (output.includes(READY)) return
      output += text
      if (output.includes(READY)) resolve()
    })
    ended.then(() => reject(new Error(`the platform ended:\n${output}`)))
  })
  const workerd = () => descendantsOf(pid).filter(({ command }) => command.startsWith('workerd'))
  const ports = portsOf({ output: () => output })
  return {
    origin: `http://127.0.0.1:${ports.PORT}`,
    rpcUrl: `http://127.0.0.1:${ports.SOLANA_RPC_PORT}`,
    seconds: (performance.now() - startedAt) / 1000,
    memoryMb: () => memoryMbOf(pid),
    workerdCpuMs: () => cpuMsOf(workerd().map((one) => one.pid)),
    stop,
  }
}
