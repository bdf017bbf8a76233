import { setTimeout as sleep } from 'node:timers/promises'
import { type Group, groupOf, groups, loginOf } from '../../../schema/rights.ts'
import { openPostgres } from '../../migrations/postgres.ts'
import { loginUrl, newPassword, setLogin } from './logins.ts'

/*
 * Manages the URLs by which Workers log in to the database. secrets.json has one for each group of rights
 * (schema/rights.ts), with one of the group's two logins. DATABASE_URL there is the owner's direct URL, which
 * no Worker gets.
 */

type Texts = Record<string, string>

/** Returns the name of a group's URL in secrets.json. */
export const databaseUrlOf = (group: Group): string => `DATABASE_URL_${group.toUpperCase()}`

/**
 * Returns the name of a Worker's secret in secrets.json. DATABASE_URL has the name of the group's URL there.
 */
export function secretNameOf(worker: string, secret: string): string {
  if (secret !== 'DATABASE_URL') return secret
  const group = groupOf(worker)
  if (group) return databaseUrlOf(group)
  throw new Error(`schema/rights.ts has no database rights for the Worker ${worker}`)
}

/** Returns the login that a group's Workers use, and the spare one. */
export function loginsIn(secrets: Texts, group: Group): { used: string; spare: string } {
  const used = new URL(secrets[databaseUrlOf(group)] ?? '').username
  return { used, spare: loginOf(group, used === loginOf(group, 'a') ? 'b' : 'a') }
}

/** Returns all groups' URLs at a database's address, with the recorded logins and passwords or new ones. */
export const urlsOfGroups = (pooled: string, stored: Texts): Texts =>
  Object.fromEntries(
    groups.map((group) => {
      const name = databaseUrlOf(group)
      const known = stored[name] === undefined ? undefined : new URL(stored[name])
      const { username = loginOf(group, 'a'), password = newPassword() } = known ?? {}
      return [name, loginUrl(pooled, username, password)]
    }),
  )

/** How long Neon's proxy may still know the former password. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 1_000

/**
 * Sets the password of each group's login that can't log in with it. The login may be new or rotated, or the
 * database was restored from a time with another password.
 * @throws Error that names the login and repeats no password
 */
export async function openLogins(ownerUrl: string, secrets: Texts): Promise<void> {
  const owner = await openPostgres(ownerUrl)
  try {
    for (const group of groups) {
      const url = secrets[databaseUrlOf(group)] ?? ''
      if (await logsIn(url)) continue
      const { username, password } = new URL(url)
      await setLogin(owner, username, password)
      for (const until = Date.now() + PATIENCE_MS; !(await logsIn(url)); await sleep(PAUSE_MS))
        if (Date.now() > until) throw new Error(`${username} cannot log in with its password`)
    }
  } finally {
    await owner.close()
  }
}

async function logsIn(url: string): Promise<boolean> {
  const database = await openPostgres(url)
  return database
    .run([{ query: 'select', params: [] }])
    .then(
      () => true,
      () => false,
    )
    .finally(() => database.close())
}
