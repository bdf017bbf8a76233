import { AlarmClock, type JobRuns, type Timer } from '../../lib/clock/clock.ts'

/** A Clock whose jobs and timer ask the test by HTTP what to do. */
export class Clock extends AlarmClock<object> {
  now(): number {
    return Date.now()
  }

  elapsed(): number {
    return performance.now()
  }

  jobRuns(): JobRuns {
    return {
      wakeDatabase: () => ask('wake').then(() => {}),
      run: async (job) => (await ask(job)) ?? undefined,
    }
  }

  override timer(): Timer {
    const { set, get } = super.timer()
    return {
      set: async (at) => {
        await ask('set')
        return set(at)
      },
      get,
    }
  }

  /** As the platform's failure would. */
  loseAlarm(): Promise<void> {
    return this.ctx.storage.deleteAlarm()
  }

  alarmAt(): Promise<number | null> {
    return this.timer().get()
  }

  /** Has the stopwatch and the timers run faster, so that what hangs is over soon. */
  hurry(factor: number): void {
    const { performance: stopwatch, setTimeout: later } = globalThis
    Object.defineProperty(globalThis, 'performance', { value: { now: () => stopwatch.now() * factor } })
    globalThis.setTimeout = ((then: () => void, ms: number) => later(then, ms / factor)) as typeof setTimeout
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the test has answered
async function ask(what: string): Promise<any> {
  const response = await fetch(`http://test.internal/${what}`)
  if (!response.ok) throw new Error(what)
  return response.json()
}

type Env = { CLOCK: DurableObjectNamespace }

/** Calls a method of the Clock. */
export default {
  async fetch(request, { CLOCK }) {
    const { method, args } = (await request.json()) as { method: string; args: unknown[] }
    const clock = CLOCK.getByName('clock') as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >
    try {
      return Response.json((await clock[method]?.(...args)) ?? null)
    } catch (error) {
      return Response.json({ error: String(error) })
    }
  },
} satisfies ExportedHandler<Env>
