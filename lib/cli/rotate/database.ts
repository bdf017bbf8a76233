import { groups } from '../../../schema/rights.ts'
import { openPostgres } from '../../migrations/postgres.ts'
import { databaseUrlOf, loginsIn, openLogins } from '../deploy/database-urls.ts'
import { closeLogin, loginUrl, newPassword } from '../deploy/logins.ts'
import { RetryableError } from '../setup/errors.ts'
import type { Rotation, Texts } from './rotation.ts'

/** How long the former Workers may still answer after a deployment. */
const WORKERS_MS = 2 * 60_000

/** Returns URLs with new passwords for the spare logins. */
const spares = (keys: Texts): Texts =>
  Object.fromEntries(
    groups.map((group) => {
      const name = databaseUrlOf(group)
      return [name, loginUrl(keys[name] ?? '', loginsIn(keys, group).spare, newPassword())]
    }),
  )

/**
 * Rotates the passwords by which Workers log in to the database. Each group's spare login gets a new
 * password, the Workers are deployed with it, and their former login is closed.
 */
export const database: Rotation = {
  names: ['DATABASE_URL', ...groups.map(databaseUrlOf)],
  newest: (keys) => groups.map((group) => loginsIn(keys, group).used).join(', '),
  add: spares,
  replace: spares,
  beforeDeploy: (keys) => retryable(openLogins(keys.DATABASE_URL ?? '', keys)),
  end: {
    afterMs: WORKERS_MS,
    why: 'Workers from before the deployment may still use it',
    count: () => 1,
    prepare: (keys) => retryable(close(keys, (group) => [loginsIn(keys, group).spare])),
  },
}

/** Closes both logins of every group: no Worker reads or writes anything until they have passwords again. */
export const stopWorkers = (keys: Texts): Promise<void> =>
  retryable(close(keys, (group) => Object.values(loginsIn(keys, group))))

async function close(keys: Texts, loginsOf: (group: (typeof groups)[number]) => string[]): Promise<void> {
  const owner = await openPostgres(keys.DATABASE_URL ?? '')
  try {
    for (const login of groups.flatMap(loginsOf)) await closeLogin(owner, login)
  } finally {
    await owner.close()
  }
}

const retryable = (work: Promise<void>): Promise<void> =>
  work.catch((cause) => {
    throw new RetryableError(
      `The database did not change its logins (${cause instanceof Error ? cause.message : cause}): check it in Neon’s console.`,
    )
  })
