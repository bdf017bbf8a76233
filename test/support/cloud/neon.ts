import type {
  DefaultEndpointSettings,
  GetConnectionUriParams,
  ListProjectsParams,
  ProjectCreateRequest,
} from '@neondatabase/api-client'
import { fields, like, maybe, misfit, type Operation, query, type Schema, text, within } from './published.ts'

export const NEON_KEY = 'napi_0123456789abcdef'

type Project = {
  id: string
  name: string
  region_id: string
  pg_version: number
  org_id?: string
  default_endpoint_settings?: DefaultEndpointSettings
}
type Organization = { id: string; name: string; managed_by: string }

export type NeonState = ReturnType<typeof neonState>

/** @param url of a Postgres, which stands for the one database of each project */
export const neonState = (url: string) => ({
  url,
  /** The organizations that a personal key is a member of: Neon makes one for each new account. */
  organizations: [{ id: 'org-calm-sea-1', name: 'Acme', managed_by: 'console' }] as Organization[],
  projects: [] as Project[],
  maxProjects: 10,
  /**
   * How many calls meet an operation of the project that goes on: they are answered 423, which the API's
   * description calls safe to retry (https://neon.com/docs/reference/api/operations).
   */
  locked: 0,
  made: 0,
})

type Wanted = ProjectCreateRequest['project']
type Branch = NonNullable<Wanted['branch']>

const orgId = like('^[a-z0-9-]{1,60}$')
/** A ComputeUnit (api.gen.d.ts). */
const units: Schema<number> = { type: 'number', minimum: 0.25 }
const name = { type: 'string', minLength: 1, maxLength: 256 }

const LIST: Operation = {
  query: query<ListProjectsParams>({ search: text, limit: within(1, 400), org_id: orgId, cursor: text }),
}
const CREATE: Operation = {
  body: fields<ProjectCreateRequest>({
    project: fields<
      Pick<Wanted, 'name' | 'branch' | 'region_id' | 'pg_version' | 'org_id' | 'default_endpoint_settings'>
    >({
      name: maybe(name),
      branch: maybe(
        fields<Omit<Branch, 'annotations'>>({
          name: maybe(name),
          role_name: maybe(text),
          database_name: maybe(text),
        }),
      ),
      region_id: maybe(like('^(aws|azure)-[a-z0-9-]+$')),
      pg_version: maybe(within(14, 18)),
      org_id: maybe(orgId),
      default_endpoint_settings: maybe(
        fields<Pick<DefaultEndpointSettings, 'autoscaling_limit_min_cu' | 'autoscaling_limit_max_cu'>>({
          autoscaling_limit_min_cu: maybe(units),
          autoscaling_limit_max_cu: maybe(units),
        }),
      ),
    }),
  }),
}
const URI: Operation = {
  query: query<GetConnectionUriParams>({
    branch_id: text,
    endpoint_id: text,
    database_name: text,
    role_name: text,
    pooled: { enum: ['true', 'false'] },
  }),
}

const failed = (status: number, code: string, message: string) =>
  Response.json({ request_id: 'r', code, message }, { status })

/**
 * Answers a request as Neon would, as far as the setup asks it: checks what it is sent against what is
 * published, and keeps state.
 */
export async function answerNeon(
  state: NeonState,
  request: Request,
  onMisfit: (why: string) => void,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const path = `${request.method} ${pathname}`
  if (request.headers.get('authorization') !== `Bearer ${NEON_KEY}`)
    return failed(401, '', 'supplied credentials do not pass authentication')
  const [, id, rest = ''] = /^(?:GET|DELETE) \/projects\/([\w-]+)(\/.*)?$/.exec(path) ?? []
  const sent = await request.text()
  const body = sent === '' ? undefined : JSON.parse(sent)
  const operation =
    path === 'GET /projects'
      ? LIST
      : path === 'POST /projects'
        ? CREATE
        : rest === '/connection_uri'
          ? URI
          : {}
  const why = misfit(operation, searchParams, body)
  if (why !== undefined) onMisfit(`${path}: ${why}`)
  if (why !== undefined) return failed(400, '', why)

  if (state.locked > 0) {
    state.locked -= 1
    return failed(423, '', LOCKED)
  }
  if (path === 'GET /users/me/organizations') return Response.json({ organizations: state.organizations })
  if (path === 'GET /projects') return list(state, searchParams)
  if (path === 'POST /projects') return create(state, body.project)
  const project = state.projects.find((one) => one.id === id)
  if (!project) return failed(404, '', 'project not found')
  if (path === `DELETE /projects/${id}`) {
    state.projects = state.projects.filter((one) => one !== project)
    return Response.json({ project })
  }
  if (request.method !== 'GET') return failed(405, '', `the fake does not know ${path}`)
  if (rest === '') return Response.json({ project })
  if (rest === '/endpoints') {
    const { autoscaling_limit_min_cu = 0.25, autoscaling_limit_max_cu = 2 } =
      project.default_endpoint_settings ?? {}
    const sizes = { autoscaling_limit_min_cu, autoscaling_limit_max_cu }
    return Response.json({
      endpoints: [{ id: 'ep-1', branch_id: 'br-main', type: 'read_write', ...sizes }],
    })
  }
  if (rest === '/branches')
    return Response.json({ branches: [{ id: 'br-main', name: 'main', default: true }], annotations: {} })
  if (rest === '/branches/br-main/databases')
    return Response.json({ databases: [{ id: 1, name: 'agentcred', owner_name: 'agentcred_owner' }] })
  if (rest === '/connection_uri') {
    if (searchParams.get('role_name') !== 'agentcred_owner') return failed(404, '', 'role not found')
    const uri = new URL(state.url)
    // The local server has no pooler; the name tells the two apart.
    uri.searchParams.set('application_name', searchParams.get('pooled') === 'true' ? 'pooled' : 'direct')
    return Response.json({ uri: String(uri) })
  }
  onMisfit(`the fake does not know ${path}`)
  return failed(404, '', `the fake does not know ${path}`)
}

const LOCKED = 'project already has running conflicting operations, scheduling of new ones is prohibited'
const ORG_MISSING = 'org_id is required, you can find it on your organization settings page'

function list({ organizations, projects }: NeonState, query: URLSearchParams): Response {
  const org = query.get('org_id') ?? undefined
  if (organizations.length > 0 && org === undefined) return failed(400, '', ORG_MISSING)
  const search = query.get('search') ?? ''
  const found = projects.filter(({ name, id }) => name.includes(search) || id.includes(search))
  const own = found.filter(({ org_id }) => org_id === org)
  return Response.json({ projects: own, pagination: {}, applications: {}, integrations: {} })
}

function create(state: NeonState, wanted: Wanted): Response {
  const {
    name = '',
    region_id = 'aws-us-east-2',
    pg_version = 17,
    org_id,
    default_endpoint_settings,
  } = wanted
  if (state.organizations.length > 0 && org_id === undefined) return failed(400, '', ORG_MISSING)
  if (state.projects.length >= state.maxProjects)
    return failed(422, 'PROJECTS_LIMIT_EXCEEDED', 'projects limit exceeded')
  state.made += 1
  const made: Project = {
    id: `calm-sea-${state.made}`,
    name,
    region_id,
    pg_version,
    ...(org_id !== undefined && { org_id }),
    ...(default_endpoint_settings && { default_endpoint_settings }),
  }
  state.projects.push(made)
  return Response.json({ project: made, operations: [] }, { status: 201 })
}
