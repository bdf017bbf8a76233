import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import type { Call, Cloud } from './cloud.ts'
import { isRead } from './setups.ts'

/**
 * Runs a command in this process until one run ends well, each stopped for good at one call more: before
 * every call, and after every call that changes something. What a stopped run calls afterwards hangs, too.
 * @param run the command; returns why it stopped by itself
 * @param keyOf calls of the same key are the same: one of them is enough; undefined: the call is left alone
 * @returns how many runs were stopped
 */
export async function stopAtEveryCall(
  cloud: Cloud,
  run: () => Promise<{ stopped: string | undefined }>,
  keyOf: (call: Call) => string | undefined,
): Promise<number> {
  const stoppedAt = new Set<string>()
  for (;;) {
    const over = Promise.withResolvers<'over'>()
    let isOver = false
    const stopAt = (moment: string) => (call: Call) => {
      if (isOver) return 'hang' as const
      const key = keyOf(call)
      if (key === undefined || stoppedAt.has(`${moment} ${key}`)) return undefined
      stoppedAt.add(`${moment} ${key}`)
      isOver = true
      over.resolve('over')
      return 'hang' as const
    }
    cloud.faults.before = stopAt('before')
    cloud.faults.after = (call) => (isRead(call) ? undefined : stopAt('after')(call))
    const ended = await Promise.race([run(), over.promise])
    if (ended !== 'over') {
      expect(ended.stopped).toBeUndefined()
      break
    }
    await endSessions(cloud)
  }
  cloud.faults.before = cloud.faults.after = () => undefined
  return stoppedAt.size
}

/** Ends the database sessions of a stopped run, as the end of its process would. */
async function endSessions({ neon }: Cloud): Promise<void> {
  const client = new pg.Client({ connectionString: neon.url })
  await client.connect()
  try {
    for (let left: number | null = 1; left; ) {
      // A branch of the run may open one more.
      await wait(50)
      ;({ rowCount: left } = await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ))
    }
  } finally {
    await client.end()
  }
}
