import { Cron } from 'croner'

/** Runs each cron on time (UTC), since Miniflare does not. A cron whose last run has not ended is skipped. */
export function startCrons(
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
