import { commandErrorOf } from '../setup/errors.ts'
import { projectKey } from '../setup/journal.ts'
import { organizationOf } from '../setup/neon.ts'
import type { Neon } from '../setup/neon-client.ts'
import type { Recorded } from './record.ts'
import type { Found } from './things.ts'

/** A deployment’s project at Neon. A project of `--neon-project` stays. */
type Project = Found & {
  /** The project that the deployment's database is in. */
  used: string | undefined
  /** A recorded project that the key does not find: it is gone, or in another account. */
  missing: string | undefined
}

/** @throws CommandError */
export async function findProject(client: Neon, env: NodeJS.ProcessEnv, record: Recorded): Promise<Project> {
  const what = projectKey(record.name)
  const made = record.journal.made[what] ?? (await findUnwritten(client, env, record, what))
  const used = record.deployment?.neonProject ?? made
  const ids = new Set([made, used].filter((id) => id !== undefined))
  const there: string[] = []
  for (const id of ids) if (await isThere(client, id)) there.push(id)
  return {
    things: there
      .filter((id) => id === made)
      .map((id) => ({
        what: `${what} (${id}), which Neon can recover for seven days`,
        permission: '',
        remove: () => client.deleteProject(id),
      })),
    left: there
      .filter((id) => id !== made)
      .map((id) => `the Neon project ${id}, which setup did not make, with the database in it`),
    used: there.find((id) => id === used),
    missing: [...ids].find((id) => !there.includes(id)),
  }
}

/** Finds the project of a setup that was interrupted before it recorded the id. */
async function findUnwritten(
  client: Neon,
  env: NodeJS.ProcessEnv,
  { name, journal }: Recorded,
  what: string,
) {
  if (!journal.begun.includes(what)) return undefined
  const org = await organizationOf(client, env)
  const { data } = await client.listProjects({ search: name, limit: 400, ...org }).catch((error) => {
    throw commandErrorOf(error, `looking for ${what}`)
  })
  return data.projects.find((one) => one.name === name)?.id
}

const isThere = (client: Neon, id: string): Promise<boolean> =>
  client.getProject(id).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false
      throw commandErrorOf(error, `looking for the Neon project ${id}`)
    },
  )

type Answered = { status?: number; response?: { status?: number } }

/** Returns whether a service answers that a thing does not exist. */
export function isMissing(error: unknown): boolean {
  const { status, response } = error as Answered
  return (response?.status ?? status) === 404
}
