/*
 * Neon's API, as far as the setup asks it: it checks what it is sent, and keeps state.
 */

export const NEON_KEY = 'napi_0123456789abcdef'

type Project = { id: string; name: string; region_id: string; pg_version: number }

export type NeonState = ReturnType<typeof neonState>

/** @param url of a Postgres, which stands for the one database of each project */
export const neonState = (url: string) => ({
  url,
  projects: [] as Project[],
  maxProjects: 10,
  made: 0,
})

const failed = (status: number, code: string, message: string) =>
  Response.json({ request_id: 'r', code, message }, { status })

/** Answers a request as Neon would. */
export async function answerNeon(state: NeonState, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const path = `${request.method} ${pathname}`
  if (request.headers.get('authorization') !== `Bearer ${NEON_KEY}`)
    return failed(401, '', 'supplied credentials do not pass authentication')
  if (path === 'GET /projects') {
    const search = searchParams.get('search') ?? ''
    const projects = state.projects.filter(({ name, id }) => name.includes(search) || id.includes(search))
    return Response.json({ projects, pagination: {}, applications: {}, integrations: {} })
  }
  if (path === 'POST /projects') {
    const { project } = (await request.json()) as {
      project: Omit<Project, 'id'> & { branch: { database_name: string; role_name: string } }
    }
    const { name, region_id, pg_version, branch } = project
    if (!name || !/^(aws|azure)-[a-z0-9-]+$/.test(region_id) || !branch.database_name || !branch.role_name)
      return failed(400, '', 'request body has an error: region_id')
    if (state.projects.length >= state.maxProjects)
      return failed(422, 'PROJECTS_LIMIT_EXCEEDED', 'projects limit exceeded')
    state.made += 1
    const made = { id: `calm-sea-${state.made}`, name, region_id, pg_version }
    state.projects.push(made)
    return Response.json({ project: made, operations: [] }, { status: 201 })
  }
  const [, id, rest = ''] = /^GET \/projects\/([\w-]+)(\/.*)?$/.exec(path) ?? []
  const project = state.projects.find((one) => one.id === id)
  if (!project) return failed(404, '', 'project not found')
  if (rest === '') return Response.json({ project })
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
  return failed(404, '', `the fake does not know ${path}`)
}
