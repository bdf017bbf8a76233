import { accountRoutes } from './cloudflare/account.ts'
import { scriptRoutes } from './cloudflare/scripts.ts'
import { ACCOUNT, ApiError, type Call, type CloudflareState, Misfit, TOKEN } from './cloudflare/state.ts'
import { storageRoutes } from './cloudflare/storage.ts'
import { EDIT } from './cloudflare/versions.ts'
import { zoneRoutes } from './cloudflare/zones.ts'
import { misfit } from './published.ts'

export { ACCOUNT, type CloudflareState, cloudflareState, SCOPES, TOKEN } from './cloudflare/state.ts'

/** The upload of assets has a token of its own: its session's. */
const ASSETS = new RegExp(`^/accounts/${ACCOUNT}/workers/assets/upload$`)

/** By the answers that github.com/cloudflare/workers-sdk/issues/11394 and 15641 show. */
const UNVERIFIED =
  'You need to verify your email address to use Workers. For more information, read our documentation on verifying your email address: https://developers.cloudflare.com/fundamentals/setup/account/verify-email-address/'

const routes = [...accountRoutes, ...storageRoutes, ...zoneRoutes, ...scriptRoutes].map((one) => {
  const path = one.path.startsWith('//') ? one.path.slice(1) : `/accounts/${ACCOUNT}${one.path}`
  return { ...one, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([\\w-]+)')}$`) }
})

/**
 * Answers a request as Cloudflare would, as far as wrangler and the setup ask it: checks what it is sent
 * against what is published, and keeps state.
 * @param onMisfit receives requests that do not match their published operation
 */
export async function answerCloudflare(
  state: CloudflareState,
  request: Request,
  onMisfit: (why: string) => void,
): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url)
  const path = pathname.replace(/^\/client\/v4/, '')
  try {
    if (ASSETS.test(path)) return success({ jwt: 'uploaded' }, 201)
    if (request.headers.get('authorization') !== `Bearer ${TOKEN}`)
      throw new ApiError(401, 10000, 'Authentication error')
    for (const { method, pattern, scope, handle, isUnpublished, ...operation } of routes) {
      const ids = pattern.exec(path)
      if (method !== request.method || !ids) continue
      if (scope && !granted(state, scope)) throw new ApiError(403, 10000, 'Authentication error')
      if (scope === EDIT && !state.isVerified) throw new ApiError(403, 10034, UNVERIFIED)
      const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
      const text = isForm ? '' : await request.text()
      const body = text === '' ? undefined : JSON.parse(text)
      const why = isUnpublished ? undefined : misfit(operation, query, body)
      if (why !== undefined) throw new Misfit(`${method} ${path}: ${why}`)
      const call: Call = { query, body: body as never, form: () => request.formData() }
      return success(await handle(state, call, ...ids.slice(1)), 200, Number(query.get('page') ?? 1))
    }
    throw new Misfit(`No route for ${request.method} ${path}: the fake does not know it`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, message } = error
    if (error instanceof Misfit) onMisfit(message)
    return Response.json(
      { success: false, errors: [{ code, message }], messages: [], result: null },
      { status },
    )
  }
}

/** Everything is on the first page, and clients read until a page is empty. */
function success(answer: unknown, status: number, page = 1): Response {
  const result = Array.isArray(answer) && page > 1 ? [] : answer
  const count = Array.isArray(result) ? result.length : 1
  const result_info = { page: 1, per_page: 100, count, total_count: count, total_pages: 1 }
  return Response.json({ success: true, errors: [], messages: [], result, result_info }, { status })
}

const granted = ({ scopes }: CloudflareState, scope: string): boolean =>
  scopes.has(scope) || (scope.endsWith(':Read') && scopes.has(scope.replace(':Read', ':Edit')))
