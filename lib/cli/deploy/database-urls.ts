import { setTimeout as sleep } from 'node:timers/promises'
import { type Group, groupOf, groups, loginOf } from '../../../schema/rights.ts'
import { openPostgres } from '../../local/neon/postgres.ts'
import { loginUrl, newPassword, setLogin } from './logins.ts'

/*
 * How Workers log in to the database: secrets.json has a URL for each group of rights (schema/rights.ts),
 * with one of the group's two logins, and the owner's direct URL as DATABASE_URL, which no Worker gets.
 */

type Texts = Record<string, string>

/** The name of a group's URL in secrets.json. */
export const databaseUrlOf = (group: Group): string => `DATABASE_URL_${group.toUpperCase()}`

/** The name in secrets.json of a Worker's secret: its DATABASE_URL is that of its group. */
export function keptAs(worker: string, secret: string): string {
  if (secret !== 'DATABASE_URL') return secret
  const group = groupOf(worker)
  if (group) return databaseUrlOf(group)
  throw new Error(`schema/rights.ts says not what the Worker ${worker} may do in the database`)
}

/** The login of a group that its Workers use, and the other one. */
export function loginsIn(secrets: Texts, group: Group): { used: string; spare: string } {
  const used = new URL(secrets[databaseUrlOf(group)] ?? '').username
  return { used, spare: loginOf(group, used === loginOf(group, 'a') ? 'b' : 'a') }
}

/** All groups' URLs at a database's address: with the logins and passwords that are kept, or new ones. */
export const urlsOfGroups = (pooled: string, kept: Texts): Texts =>
  Object.fromEntries(
    groups.map((group) => {
      const name = databaseUrlOf(group)
      const known = kept[name] === undefined ? undefined : new URL(kept[name])
      const { username = loginOf(group, 'a'), password = newPassword() } = known ?? {}
      return [name, loginUrl(pooled, username, password)]
    }),
  )

/** For so long Neon's proxy may know the password before. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 1_000

/**
 * Gives each group's login its password where it does not log in with it: a login is new, was rotated, or the
 * database was restored from a time when it had another.
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
        if (Date.now() > until)
          throw new Error(`${username} does not log in by the password that it was given`)
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
