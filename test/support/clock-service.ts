import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Due, JOBS, type Job } from '../../lib/clock/jobs.ts'
import { buildWorkers } from '../../lib/local/build.ts'
import { bundleWorkers } from '../../lib/local/bundle.ts'
import { createClock } from '../../lib/local/clock.ts'
import { startWorkers } from '../../lib/local/workers/start.ts'
import { collectLogs } from './logs.ts'

/** The questions of the Clock to the test: before it sets its alarm, to wake the database, to run a job. */
type Asked = 'set' | 'wake' | Job
/** A job's answer, or what happens instead. */
type Answer = Due | null | 'fails' | Promise<Due | null | 'fails'>

const MAIN = join(import.meta.dirname, 'clock-worker.ts')

/** The Clock alone in workerd, with real alarms and a folder. The test answers for its jobs. */
export async function startClock() {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-clock-'))
  const [script = ''] = await bundleWorkers([{ path: MAIN, objects: ['Clock'] }], false)
  const jobs = (await buildWorkers()).find(({ group }) => group === 'jobs')
  if (jobs === undefined) throw new Error('wrangler.toml has no [env.jobs]')
  const { compatibilityDate, durableObjects } = jobs.options
  const options = { compatibilityDate, durableObjects } as typeof jobs.options
  const worker = { ...jobs, script, options, routes: ['*'], vars: {}, requiredSecrets: [], crons: [] }
  const clock = createClock()
  const logs = collectLogs()
  const runs: { asked: Asked; at: number }[] = []
  let answer: (asked: Asked) => Answer = () => null
  const outbound = async (request: Request) => {
    const asked = new URL(request.url).pathname.slice(1) as Asked
    runs.push({ asked, at: clock.now() })
    const answered = await answer(asked)
    return answered === 'fails' ? new Response(null, { status: 500 }) : Response.json(answered)
  }
  const launch = () =>
    startWorkers({
      ...{ port: 0, clock, onLog: logs.add, bindings: {}, rateLimits: true, alarms: true, folder },
      ...{ workers: [worker], outbound },
    })
  let workers = await launch()
  const call = async (method: string, ...args: unknown[]) => {
    const body = JSON.stringify({ method, args })
    return (await fetch(new URL('/clock', workers.url), { method: 'POST', body })).json()
  }
  return {
    clock,
    logs,
    call,
    /** Sets the answers of jobs from now on. By default they answer that nothing is due. */
    onAsked: (next: (asked: Asked) => Answer) => {
      answer = next
    },
    /** The job runs in their order, except deliveries, which run in parallel with all others. */
    jobRuns: () =>
      runs.flatMap(({ asked }) => (JOBS.includes(asked as Job) && asked !== 'deliveries' ? [asked] : [])),
    wakes: () => runs.filter(({ asked }) => asked === 'wake').length,
    /** Whether no alarm runs. The last act of an alarm is to set the next one. */
    rests: () => runs.at(-1)?.asked === 'set',
    async restart() {
      await workers.stop()
      workers = await launch()
    },
    async stop() {
      await workers.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
