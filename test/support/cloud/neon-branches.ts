import type {
  BranchCreateRequest,
  BranchCreateRequestEndpointOptions,
  DatabaseCreateRequest,
  ListProjectBranchesParams,
} from '@neondatabase/api-client'
import pg from 'pg'
import {
  fields,
  like,
  listOf,
  maybe,
  type Operation,
  oneOf,
  query,
  type Schema,
  text,
  within,
} from './published.ts'

/** A branch, and its databases' URLs by name. */
export type StoredBranch = { id: string; name: string; default: boolean; databases: Map<string, string> }

/** What of the state of a project the calls about branches read and change. */
type Branches = {
  url: string
  branches: StoredBranch[]
  defaultBranch: string
  newDatabase: () => Promise<string>
  used: { logical_size: number }
}
type NewBranch = NonNullable<BranchCreateRequest['branch']>

export const MAIN = 'br-main'
const name = { type: 'string', minLength: 1, maxLength: 256 }
/** A ComputeUnit (api.gen.d.ts). */
export const units: Schema<number> = { type: 'number', minimum: 0.25 }

const LIST_BRANCHES: Operation = {
  query: query<ListProjectBranchesParams>({ search: text, limit: within(1, 10_000), cursor: text }),
}
const BRANCH: Operation = {
  body: fields<BranchCreateRequest>({
    endpoints: maybe(
      listOf(
        fields<
          Pick<
            BranchCreateRequestEndpointOptions,
            'type' | 'autoscaling_limit_min_cu' | 'autoscaling_limit_max_cu'
          >
        >({
          type: oneOf('read_write', 'read_only') as Schema<BranchCreateRequestEndpointOptions['type']>,
          autoscaling_limit_min_cu: maybe(units),
          autoscaling_limit_max_cu: maybe(units),
        }) as Schema<BranchCreateRequestEndpointOptions>,
      ),
    ),
    branch: maybe(
      fields<Pick<NewBranch, 'name' | 'parent_id'>>({
        name: maybe(name),
        parent_id: maybe(like('^[a-z0-9-]{1,60}$')),
      }) as Schema<NewBranch>,
    ),
  }),
}
const DATABASE: Operation = {
  body: fields<DatabaseCreateRequest>({
    database: fields<DatabaseCreateRequest['database']>({ name: text, owner_name: text }),
  }),
}

/** What a call takes. @param path with `<id>` in the place of the project's id */
export function operationOfBranches(path: string): Operation {
  if (path === 'GET /projects/<id>/branches') return LIST_BRANCHES
  if (path === 'POST /projects/<id>/branches') return BRANCH
  return /^POST \/projects\/<id>\/branches\/[\w-]+\/databases$/.test(path) ? DATABASE : {}
}

/** An error as Neon words it. */
export const failed = (status: number, code: string, message: string) =>
  Response.json({ request_id: 'r', code, message }, { status })

const branchesOf = ({ url, branches, defaultBranch }: Branches): StoredBranch[] =>
  [{ id: MAIN, name: 'main', default: true, databases: new Map([[DATABASE_NAME, url]]) }, ...branches].map(
    (branch) => ({ ...branch, default: branch.id === defaultBranch }),
  )

const DATABASE_NAME = 'agentcred'
const OWNER = 'agentcred_owner'

/** A new branch has what its parent has: here a table, in the place of all of them. */
async function copyOfParent(state: Branches): Promise<string> {
  const url = await state.newDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table public.of_the_parent ()')
  await client.end()
  return url
}

/** Answers a call about branches and their databases. @returns undefined for an unknown call */
export async function answerOfBranches(
  state: Branches,
  path: string,
  params: URLSearchParams,
  body: { branch?: NewBranch; database?: DatabaseCreateRequest['database'] } | undefined,
): Promise<Response | undefined> {
  if (path === 'GET /projects/<id>/branches') {
    const search = params.get('search') ?? ''
    const found = branchesOf(state).filter(({ id, name }) => id.includes(search) || name.includes(search))
    const branches = found.map(({ databases: _, ...branch }) => ({
      ...branch,
      logical_size: state.used.logical_size,
    }))
    return Response.json({ branches, annotations: {}, pagination: {} })
  }
  if (path === 'POST /projects/<id>/branches') {
    const { name = '' } = body?.branch ?? {}
    if (branchesOf(state).some((one) => one.name === name))
      return failed(409, 'BRANCH_ALREADY_EXISTS', 'branch already exists')
    const id = `br-${state.branches.length + 1}`
    const databases = new Map([[DATABASE_NAME, await copyOfParent(state)]])
    state.branches.push({ id, name, default: false, databases })
    return Response.json({ branch: { id, name }, endpoints: [{ id: `ep-${id}` }] }, { status: 201 })
  }
  const [, method, id, database] =
    /^(\w+) \/projects\/<id>\/branches\/([\w-]+)\/databases(?:\/(\w+))?$/.exec(path) ?? []
  const branch = branchesOf(state).find((one) => one.id === id)
  if (!branch || method === undefined) return undefined
  const { databases } = branch
  if (method === 'GET')
    return Response.json({
      databases: [...databases.keys()].map((name, i) => ({ id: i, name, owner_name: OWNER })),
    })
  // No command here changes the data of the branch in use.
  if (branch.id === state.defaultBranch) return undefined
  if (method === 'DELETE' && database !== undefined) {
    if (!databases.delete(database)) return failed(404, '', 'database not found')
    return Response.json({ database: { name: database }, operations: [] })
  }
  if (method !== 'POST' || !body?.database) return undefined
  if (databases.has(body.database.name)) return failed(409, '', 'database already exists')
  databases.set(body.database.name, await state.newDatabase())
  return Response.json({ database: body.database, operations: [] }, { status: 201 })
}

export function connectionUri(state: Branches, params: URLSearchParams, own?: string): Response {
  if (params.get('role_name') !== OWNER) return failed(404, '', 'role not found')
  const branch = branchesOf(state).find(({ id }) => id === (params.get('branch_id') ?? state.defaultBranch))
  const url = own ?? branch?.databases.get(params.get('database_name') ?? '')
  if (url === undefined) return failed(404, '', 'database not found')
  const uri = new URL(url)
  // The local server has no pooler. The name distinguishes the two.
  uri.searchParams.set('application_name', params.get('pooled') === 'true' ? 'pooled' : 'direct')
  return Response.json({ uri: String(uri) })
}
