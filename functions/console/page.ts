import type { PageService } from '../../lib/agents/page-service.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Place, placeOf } from '../../lib/console/addresses.ts'
import { reasonOf } from '../../lib/db/failures.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { requireWithin } from '../../lib/http/rate-limit.ts'
import { cachedForEach } from '../../lib/runtime/cache.ts'
import { logError } from '../../lib/runtime/log.ts'
import { within } from '../../lib/time.ts'
import { leftOutOf, PREVIEWS, type Preview, unlisted, withPreview } from './preview.ts'

type PageDeps = {
  /** Returns the built page. */
  readPage: () => Promise<Response>
  agents: PageService
  limit: RateLimit
  /** The service's origin. */
  origin: string
  now: Date
}

/**
 * Answers an address with the page that shows it: with its preview, and with status 404 if nothing is there.
 * The page shows as much by itself.
 * @param address below `/console/`
 */
export async function pageAnswer(address: string, { headers }: Request, deps: PageDeps): Promise<Response> {
  const built = await deps.readPage()
  const page = await built.text()
  const place = placeOf(address)
  const isThere = place !== undefined && !leftOutOf(page).includes(place.name)
  const preview = isThere ? await previewOf(place, headers, deps) : GONE
  const answer =
    preview === GONE
      ? new Response(unlisted(page), { status: 404, headers: built.headers })
      : new Response(preview ? withPreview(page, preview, deps.origin) : page, { headers: built.headers })
  // They are of the built page.
  for (const name of ['etag', 'last-modified', 'content-length']) answer.headers.delete(name)
  return answer
}

/** Says that nothing is at an address. */
const GONE = 'gone'

type Known = Preview | typeof GONE | undefined

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** How long an isolate keeps the previews of agents, and of how many. */
const AGENT_SECONDS = 60
const MAX_AGENTS = 500
const cachedAgent = cachedForEach<Known>(AGENT_SECONDS, MAX_AGENTS)

/** The longest wait for an agent. Later its page is served without a preview. */
const PATIENCE_MS = 2_000

/** Returns the preview of a view; undefined if it has none, or if the agents Worker does not answer. */
async function previewOf({ name, parts }: Place, headers: Headers, deps: PageDeps): Promise<Known> {
  if (name !== 'agent') return parts.length === 0 ? PREVIEWS[name] : undefined
  const id = parts[0]?.toLowerCase() ?? ''
  if (!UUID.test(id)) return GONE
  try {
    return await cachedAgent(id, deps.now, () => previewOfAgent(id, headers, deps))
  } catch (error) {
    if (!(error instanceof ApiError)) logError({ part: 'previews', reason: reasonOf(error) })
    return undefined
  }
}

/**
 * @throws ApiError rate_limited after too many reads by the client address
 * @throws Error if the agents Worker fails, or does not answer in time
 */
async function previewOfAgent(id: string, headers: Headers, { limit, agents }: PageDeps): Promise<Known> {
  await requireWithin('READ_LIMIT', limit, `GET ${clientAddress(headers)}`)
  const agent = await within(PATIENCE_MS, agents.preview(id))
  if (!agent) return GONE
  // An operator has suspended it: its text must not appear on other sites.
  if (agent.status === 'suspended') return undefined
  const description = agent.description ?? 'A software agent that you can hire with your wallet.'
  return { title: agent.name, description, address: `agents/${id}` }
}
