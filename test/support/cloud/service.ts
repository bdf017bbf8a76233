import type { CloudflareState, Script, Version } from './cloudflare/state.ts'

/** Says which public address a request was for, once it has been rerouted here. */
export const PUBLIC_HOST = 'x-public-host'

/** The service as its users see it, once root is there and public. */
export async function answerService(state: CloudflareState, request: Request): Promise<Response> {
  const { scripts, domains, routes } = state
  const roots = [...scripts].filter(([name]) => name.endsWith('-root'))
  // The host distinguishes several services.
  const host = request.headers.get(PUBLIC_HOST) ?? ''
  const found = roots.find(([name]) => host.startsWith(`${name}.`)) ?? roots[0]
  const isPublic = found?.[1].onWorkersDev || domains.size > 0 || routes.size > 0
  if (!found || !isPublic) return new Response('There is nothing here yet', { status: 404 })
  const { pathname } = new URL(request.url)
  if (pathname === '/v1/health') return Response.json({ status: 'ok', checks: {} })
  if (pathname === '/v1/health/workers') return Response.json({ workers: workersOf(state, found, request) })
  if (pathname !== '/v1/auth/handshake') return Response.json({ code: 'unknown_path' }, { status: 404 })
  if (request.method === 'GET') return Response.json({ nonce: 'n', challenge: 'sign me' })
  const { nonce, signature, publicKey } = (await request.json()) as Record<string, string>
  return nonce === 'n' && signature && publicKey
    ? Response.json({ sessionToken: 't' })
    : Response.json({ code: 'login_refused' }, { status: 401 })
}

/** How far the places of two requests are apart. */
const STEP = 35
const PREFIX = 'WORKER_'

/** What root answers, by the bindings of the version of it that is asked. */
function workersOf(state: CloudflareState, [rootName, root]: [string, Script], request: Request): object {
  const overrides = state.ignoresOverrides ? '' : request.headers.get('cloudflare-workers-version-overrides')
  // Without overrides it goes by percentages, as Cloudflare's page on version overrides says.
  const place = overrides ? 0 : (state.routed++ * STEP) % 100
  const health = (name: string, script: Script) => {
    const version = versionFor(script, overridesOf(overrides ?? '').get(name), place)
    if (!version.metadata.bindings.some(({ type }) => type === 'version_metadata')) return { version: '' }
    return { version: version.id, database: !state.isIll(name, version) }
  }
  const { metadata } = versionFor(root, overridesOf(overrides ?? '').get(rootName), place)
  const asked = metadata.bindings.flatMap(({ name, service, entrypoint }) => {
    const script = state.scripts.get(service ?? '')
    return script && name.startsWith(PREFIX) && entrypoint === 'Health'
      ? [[name.slice(PREFIX.length).toLowerCase(), health(service ?? '', script)]]
      : []
  })
  return { root: health(rootName, root), ...Object.fromEntries(asked) }
}

/** A dictionary of strings (RFC 9651): `worker="id", other="id"`. */
const overridesOf = (header: string): Map<string, string> =>
  new Map([...header.matchAll(/([\w-]+)="([\w-]+)"/g)].map(([, name = '', id = '']) => [name, id]))

/** Returns the requested version if it is deployed, else the version by percentages. */
function versionFor({ versions, shares }: Script, wanted: string | undefined, place: number): Version {
  const ranked = shares.toSorted((a, b) => b.percentage - a.percentage)
  const routed = place < (ranked[0]?.percentage ?? 0) ? ranked[0] : ranked[1]
  const id = shares.some(({ version_id }) => version_id === wanted) ? wanted : routed?.version_id
  const found = versions.find((one) => one.id === id)
  if (!found) throw new Error(`there is no version ${id}`)
  return found
}
