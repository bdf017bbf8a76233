import type {
  DefaultEndpointSettings,
  GetConnectionUriParams,
  ListProjectsParams,
  ProjectCreateRequest,
} from '@neondatabase/api-client'
import { addDatabase } from '../database.ts'
import {
  answerOfBranches,
  connectionUri,
  failed,
  MAIN,
  operationOfBranches,
  type StoredBranch,
  units,
} from './neon-branches.ts'
import { fields, like, maybe, misfit, type Operation, query, text, within } from './published.ts'

export const NEON_KEY = 'napi_0123456789abcdef'

type Project = {
  id: string
  name: string
  region_id: string
  pg_version: number
  org_id?: string
  default_endpoint_settings?: DefaultEndpointSettings
  history_retention_seconds?: number
}
type Organization = { id: string; name: string; managed_by: string; plan?: string }

export type NeonState = ReturnType<typeof neonState>

/** @param url of a Postgres, which stands for the one database of each project that has none of its own */
export const neonState = (url: string) => ({
  url,
  /** The databases of other projects, by the projects' names. */
  urls: {} as Record<string, string>,
  /** The organizations that a personal key is a member of: Neon makes one for each new account. */
  organizations: [
    { id: 'org-calm-sea-1', name: 'Acme', managed_by: 'console', plan: 'free_v3' },
  ] as Organization[],
  projects: [] as Project[],
  /** The branches of every project but its first one, `main`, whose database is at `url`. */
  branches: [] as StoredBranch[],
  /** Which of them is the default one. */
  defaultBranch: MAIN,
  /** Makes an empty database. @returns its URL */
  newDatabase: () => addDatabase(),
  /** The project's usage in its billing period. */
  used: { compute_time_seconds: 0, active_time_seconds: 0, synthetic_storage_size: 0, logical_size: 0 },
  maxProjects: 10,
  /**
   * How many more calls meet a running operation of the project. They are answered 423, which the API's
   * description calls safe to retry (https://neon.com/docs/reference/api/operations).
   */
  locked: 0,
  made: 0,
})

type Wanted = ProjectCreateRequest['project']
type Branch = NonNullable<Wanted['branch']>

const orgId = like('^[a-z0-9-]{1,60}$')
const name = { type: 'string', minLength: 1, maxLength: 256 }

const LIST: Operation = {
  query: query<ListProjectsParams>({ search: text, limit: within(1, 400), org_id: orgId, cursor: text }),
}
const CREATE: Operation = {
  body: fields<ProjectCreateRequest>({
    project: fields<
      Pick<
        Wanted,
        | 'name'
        | 'branch'
        | 'region_id'
        | 'pg_version'
        | 'org_id'
        | 'default_endpoint_settings'
        | 'history_retention_seconds'
      >
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
      history_retention_seconds: maybe(within(0, 2_592_000)),
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
  const [, id = '', rest = ''] = /^\w+ \/projects\/([\w-]+)(\/.*)?$/.exec(path) ?? []
  const ofProject = id === '' ? path : path.replace(id, '<id>')
  const sent = await request.text()
  const body = sent === '' ? undefined : JSON.parse(sent)
  const operation = operationOf(ofProject)
  const why = misfit(operation, searchParams, body)
  if (why !== undefined) onMisfit(`${path}: ${why}`)
  if (why !== undefined) return failed(400, '', why)

  if (state.locked > 0) {
    state.locked -= 1
    return failed(423, '', LOCKED)
  }
  if (path === 'GET /users/me/organizations') return Response.json({ organizations: state.organizations })
  if (path === 'GET /users/me') return Response.json({ id: 'u-1', plan: 'free_v3' })
  const [, org] = /^GET \/organizations\/([\w-]+)$/.exec(path) ?? []
  if (org !== undefined) {
    const found = state.organizations.find((one) => one.id === org)
    return found ? Response.json(found) : failed(404, '', 'organization not found')
  }
  if (path === 'GET /projects') return list(state, searchParams)
  if (path === 'POST /projects') return create(state, body.project)
  const project = state.projects.find((one) => one.id === id)
  if (!project) return failed(404, '', 'project not found')
  if (ofProject === 'DELETE /projects/<id>') {
    state.projects = state.projects.filter((one) => one !== project)
    return Response.json({ project })
  }
  if (ofProject === 'GET /projects/<id>')
    return Response.json({ project: { ...project, ...state.used, ...PERIOD } })
  if (rest === '/endpoints') {
    const { autoscaling_limit_min_cu = 0.25, autoscaling_limit_max_cu = 2 } =
      project.default_endpoint_settings ?? {}
    const sizes = { autoscaling_limit_min_cu, autoscaling_limit_max_cu }
    return Response.json({
      endpoints: [{ id: 'ep-1', branch_id: MAIN, type: 'read_write', ...sizes }],
    })
  }
  if (rest === '/connection_uri') return connectionUri(state, searchParams, state.urls[project.name])
  const answer = rest.startsWith('/branches')
    ? await answerOfBranches(state, ofProject, searchParams, body)
    : undefined
  if (answer) return answer
  onMisfit(`the fake does not know ${path}`)
  return failed(404, '', `the fake does not know ${path}`)
}

const PERIOD = { consumption_period_end: '2026-12-01T00:00:00Z' }

/** What a call takes. @param path with `<id>` in the place of the project's id */
function operationOf(path: string): Operation {
  if (path === 'GET /projects') return LIST
  if (path === 'POST /projects') return CREATE
  if (path === 'GET /projects/<id>/connection_uri') return URI
  return operationOfBranches(path)
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

const DAY = 86_400

/**
 * The usual and the longest history window of a plan, in seconds:
 * https://neon.com/docs/introduction/history-window
 */
function historyOf(plan: string): [usual: number, most: number] {
  if (plan.startsWith('free')) return [DAY / 4, DAY / 4]
  return [DAY, plan.startsWith('scale') ? 30 * DAY : 7 * DAY]
}

/** Neon's words: https://github.com/kislerdm/terraform-provider-neon/issues/176 */
const tooLong = (wanted: number, most: number) =>
  `requested history retention seconds exceeds allowed maximum; requested_history_retention_seconds:"${wanted}", max:"${most}"`

function create(state: NeonState, wanted: Wanted): Response {
  const {
    name = '',
    region_id = 'aws-us-east-2',
    pg_version = 17,
    org_id,
    default_endpoint_settings,
  } = wanted
  if (state.organizations.length > 0 && org_id === undefined) return failed(400, '', ORG_MISSING)
  const [usual, most] = historyOf(state.organizations.find(({ id }) => id === org_id)?.plan ?? 'free_v3')
  const { history_retention_seconds = usual } = wanted
  if (history_retention_seconds > most) return failed(400, '', tooLong(history_retention_seconds, most))
  if (state.projects.length >= state.maxProjects)
    return failed(422, 'PROJECTS_LIMIT_EXCEEDED', 'projects limit exceeded')
  state.made += 1
  const made: Project = {
    id: `calm-sea-${state.made}`,
    name,
    region_id,
    pg_version,
    history_retention_seconds,
    ...(org_id !== undefined && { org_id }),
    ...(default_endpoint_settings && { default_endpoint_settings }),
  }
  state.projects.push(made)
  return Response.json({ project: made, operations: [] }, { status: 201 })
}
