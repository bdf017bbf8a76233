import { applyMigrations } from '../../migrations/migrations.ts'
import { openPostgres } from '../../migrations/postgres.ts'
import type { SqlDatabase } from '../../migrations/protocol.ts'
import { CommandError, commandErrorOf, RetryableError } from './errors.ts'
import { type Maker, projectKey } from './journal.ts'
import type { Neon } from './neon-client.ts'
import type { Options } from './options.ts'
import { historyLine, historyOf, planOf, storageOf } from './plans.ts'

/** The names of a new project's database and of its owner. */
const DATABASE = 'agentcred'
const OWNER = 'agentcred_owner'
const DEFAULT_REGION = 'aws-eu-central-1'
/** Neon's smallest compute size, in compute units. */
const SMALLEST_CU = 0.25

/** From Neon's smallest size, which functions/idle.md assumes, to the free plan's largest. */
export const COMPUTE = { autoscaling_limit_min_cu: SMALLEST_CU, autoscaling_limit_max_cu: 2 }

/** A deployment's project, as far as it is known before anything is made. */
export type Planned = {
  /** The region of the existing project, or of the one to make. */
  region: string
  /** The bytes that its plan stores; empty if a plan bills by use. Undefined if the plan is unknown. */
  storage: string | undefined
  /** Takes the project or makes it. @returns its id; undefined with `--plan` if it does not exist yet */
  take: () => Promise<string | undefined>
}

/**
 * Finds the project, or the organization for a new one. This tests the API key early.
 * @throws CommandError, also if the options do not fit the project that an earlier run has made
 */
export async function planProject(
  client: Neon,
  { name, region, neonProject, before }: Options,
  env: NodeJS.ProcessEnv,
  maker: Maker,
): Promise<Planned> {
  const what = projectKey(name)
  if (neonProject !== undefined) {
    const isOther =
      before.neonProject === undefined && maker.wasBegun(what) && maker.idOf(what) !== neonProject
    if (isOther)
      throw new CommandError(
        `This setup has begun ${what}: continue with it by --neon-project=, or run npm run destroy before you use ${neonProject}.`,
      )
    const [{ project }, { endpoints }] = await Promise.all([
      client.getProject(neonProject).then(({ data }) => data),
      client.listProjectEndpoints(neonProject).then(({ data }) => data),
    ]).catch((error) => {
      throw commandErrorOf(error, `looking for the Neon project ${neonProject}`)
    })
    const { region_id } = project
    if (region !== undefined && region !== region_id)
      throw new CommandError(`The Neon project ${neonProject} is in ${region_id}: use --region ${region_id}.`)
    const startsAtCu = Math.max(...endpoints.map(({ autoscaling_limit_min_cu }) => autoscaling_limit_min_cu))
    const size = `${startsAtCu} unit${startsAtCu > 1 ? 's' : ''}`
    const costs = `; its compute starts at ${size}, but functions/idle.md assumes ${SMALLEST_CU}`
    const plan = await planOf(client, project.org_id)
    return {
      region: region_id,
      storage: storageOf(plan),
      take: async () => {
        // Said once, when the project is first named.
        const isNoted = before.neonProject === undefined && startsAtCu > SMALLEST_CU
        maker.say(`take  the Neon project ${neonProject}${isNoted ? costs : ''}`)
        maker.say(historyLine(project.history_retention_seconds, plan))
        return neonProject
      },
    }
  }
  const org = await organizationOf(client, env)
  const plan = await planOf(client, org.org_id)
  const findProject = async () => {
    const { data } = await client.listProjects({ search: name, limit: 400, ...org })
    return data.projects.find((project) => project.name === name)
  }
  const found = await findProject().catch((error) => {
    throw commandErrorOf(error, `looking for ${what}`)
  })
  // If a project of this name exists that this deployment did not make.
  const otherwise = 'use it with --neon-project <id>, or choose another name with --name.'
  if (found) maker.requireBegun(what, otherwise)
  if (found && region !== undefined && region !== found.region_id)
    throw new CommandError(
      `The Neon project ${name} of this setup is in ${found.region_id}: use --region ${found.region_id}.`,
    )
  const region_id = found?.region_id ?? region ?? DEFAULT_REGION
  const make = async () => {
    const branch = { database_name: DATABASE, role_name: OWNER }
    const history = plan === undefined ? {} : { history_retention_seconds: historyOf(plan) }
    const sizes = { pg_version: 17, default_endpoint_settings: COMPUTE }
    const { data } = await client.createProject({
      project: { name, region_id, branch, ...sizes, ...history, ...org },
    })
    return data.project.id
  }
  const find = async () => (await findProject())?.id
  return {
    region: region_id,
    storage: storageOf(plan),
    take: async () => {
      const id = await maker.take({ what, find, make, otherwise })
      maker.say(historyLine(plan === undefined ? plan : historyOf(plan), plan))
      return id
    },
  }
}

/**
 * Finds the organization of the project. Neon makes one for each account, and lists no project without it.
 */
export async function organizationOf(
  client: Neon,
  { NEON_ORG_ID }: NodeJS.ProcessEnv,
): Promise<{ org_id?: string }> {
  if (NEON_ORG_ID) return { org_id: NEON_ORG_ID }
  const { data } = await client.getCurrentUserOrganizations().catch((error) => {
    throw commandErrorOf(error, 'looking for your organization at Neon')
  })
  // A marketplace such as Vercel's pays for the others.
  const own = data.organizations.filter(({ managed_by }) => managed_by === 'console')
  const [first, second] = own.length > 0 ? own : data.organizations
  if (second !== undefined)
    throw new CommandError(
      `NEON_API_KEY has access to several organizations: set NEON_ORG_ID to the one to use (${data.organizations.map(({ id }) => id).join(', ')}).`,
    )
  return first === undefined ? {} : { org_id: first.id }
}

/** The connection strings of a project's database: `direct` for migrations, `pooled` for Workers. */
type Urls = { direct: string; pooled: string }

/**
 * Reads the connection strings.
 * @param branch its id; by default the default branch, which the Workers use
 */
export async function urlsOf(client: Neon, projectId: string, branch?: string): Promise<Urls> {
  const serving = await databaseOf(client, projectId)
  const of = async (pooled: boolean) => {
    const { data } = await client.getConnectionUri({
      projectId,
      branch_id: branch ?? serving.branch,
      database_name: serving.name,
      role_name: serving.owner,
      pooled,
    })
    return data.uri
  }
  try {
    return { direct: await of(false), pooled: await of(true) }
  } catch (error) {
    throw commandErrorOf(error, 'reading the connection strings')
  }
}

/** Finds the database that the Workers use: the one of the default branch. @throws CommandError */
export async function databaseOf(
  client: Neon,
  projectId: string,
): Promise<{ branch: string; name: string; owner: string }> {
  try {
    const { branches } = (await client.listProjectBranches({ projectId })).data
    const branch = branches.find((one) => one.default)
    if (branch === undefined)
      throw new CommandError(
        `The Neon project ${projectId} has no default branch: choose one in Neon’s console.`,
      )
    const { databases } = (await client.listProjectBranchDatabases(projectId, branch.id)).data
    const database = databases.find(({ name }) => name === DATABASE) ?? databases[0]
    if (database === undefined)
      throw new CommandError(`The Neon project ${projectId} has no database: make one in Neon’s console.`)
    return { branch: branch.id, name: database.name, owner: database.owner_name }
  } catch (error) {
    throw commandErrorOf(error, 'reading the connection strings')
  }
}

/**
 * Applies the migrations over the direct URL: the pooler takes no session settings. Waits for a new database,
 * which wakes slowly.
 */
export async function migrate({ direct }: Urls, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const database = await openPostgres(direct)
    try {
      return await applyMigrations(database)
    } catch (error) {
      const isAway = error instanceof Error && error.name === 'EngineUnavailable'
      if (!isAway || Date.now() > until)
        throw isAway
          ? new RetryableError('The new database accepts no connections: check it in Neon’s console.')
          : new CommandError(
              `The migrations could not be applied: ${wordsOf(error)}. Then run npm run setup again.`,
            )
    } finally {
      await database.close()
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Works with a project's database as its owner, over the direct URL. */
export async function withDirect<T>(
  client: Neon,
  project: string,
  work: (database: SqlDatabase, url: string) => Promise<T>,
): Promise<T> {
  const { direct } = await urlsOf(client, project)
  const database = await openPostgres(direct)
  try {
    return await work(database, direct)
  } finally {
    await database.close()
  }
}

export const wordsOf = (error: unknown): string => {
  const last = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return last instanceof Error ? last.message : 'for an unknown reason'
}
