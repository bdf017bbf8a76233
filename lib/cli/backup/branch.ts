import { EndpointType } from '@neondatabase/api-client'
import { commandErrorOf } from '../setup/errors.ts'
import type { Maker } from '../setup/journal.ts'
import { COMPUTE, databaseOf, urlsOf } from '../setup/neon.ts'
import type { Neon } from '../setup/neon-client.ts'

/**
 * Makes a branch of the project for a restore, and empties its database, since a new branch has the data of
 * its parent. The default branch is not changed.
 * @param name the branch's name, the same at every run of one restore
 * @returns its id and its database's direct URL
 * @throws CommandError
 */
export async function emptyBranch(
  client: Neon,
  project: string,
  maker: Maker,
  name: string,
): Promise<{ id: string; url: string }> {
  const what = `the Neon branch ${name}`
  const serving = await databaseOf(client, project)
  const find = async () => {
    const { data } = await client.listProjectBranches({ projectId: project, search: name })
    return data.branches.find((branch) => branch.name === name)?.id
  }
  const make = async () => {
    const { data } = await client.createProjectBranch(project, {
      branch: { name, parent_id: serving.branch },
      endpoints: [{ type: EndpointType.ReadWrite, ...COMPUTE }],
    })
    return data.branch.id
  }
  const otherwise =
    'continue on the machine that began it, or delete it in Neon’s console if nothing uses it.'
  const id = (await maker.take({ what, find, make, otherwise })) ?? ''
  const emptied = `${what}: its database is empty`
  if (!maker.wasBegun(emptied) && id !== serving.branch) {
    await empty(client, project, id, serving).catch((error) => {
      throw commandErrorOf(error, `emptying the database of ${what}`)
    })
    // From here on its content comes from the backup.
    maker.begin(emptied)
  }
  return { id, url: (await urlsOf(client, project, id)).direct }
}

type Serving = { name: string; owner: string }

async function empty(client: Neon, project: string, branch: string, { name, owner }: Serving) {
  const { databases } = (await client.listProjectBranchDatabases(project, branch)).data
  if (databases.some((one) => one.name === name))
    await client.deleteProjectBranchDatabase(project, branch, name)
  await client.createProjectBranchDatabase(project, branch, { database: { name, owner_name: owner } })
}
