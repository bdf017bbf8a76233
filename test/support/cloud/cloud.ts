import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'
import { addDatabase } from '../database.ts'
import { ACCOUNT, answerCloudflare, type CloudflareState, cloudflareState, TOKEN } from './cloudflare.ts'
import { answerNeon, NEON_KEY, type NeonState, neonState } from './neon.ts'
import { answerService, PUBLIC_HOST } from './service.ts'

/** A call that reached one of the fakes, as `cloudflare POST /accounts/<id>/queues`. */
export type Call = { name: string; body: string }

/** What happens to a call instead of its answer; undefined: nothing. A call that hangs ends with the test. */
type Outcome = undefined | 'hang' | Response
type Fault = (call: Call, index: number) => Outcome | Promise<Outcome>

export type Cloud = Awaited<ReturnType<typeof startCloud>>

/**
 * Cloudflare, Neon, and the service at its public address, for one test.
 * @param real the database and the service of Workers that run, in the place of an empty database and of
 *   answers as a service gives them
 */
export async function startCloud(real?: { url: string; answer: (request: Request) => Promise<Response> }) {
  const cloudflare = cloudflareState()
  const neon = neonState(real?.url ?? (await addDatabase()))
  const calls: Call[] = []
  const faults: { before: Fault; after: Fault } = { before: () => undefined, after: () => undefined }
  const hanging = new Set<() => void>()
  const hang = () => new Promise<void>((resolve) => hanging.add(resolve))
  /** Requests that are not as their operations are published. */
  const misfits: string[] = []

  const { origin, close } = await serveOnLoopback(
    'The cloud',
    async (request) => {
      const url = new URL(request.url)
      const [, service = '', rest = ''] = /^\/(cloudflare|neon|service)(\/.*)$/.exec(url.pathname) ?? []
      const body = Buffer.from(await request.arrayBuffer())
      const call = {
        name: `${service} ${request.method} ${rest.replace(ACCOUNT, '<id>')}`,
        body: body.toString(),
      }
      const index = calls.push(call) - 1
      const early = await faults.before(call, index)
      if (early === 'hang') await hang()
      if (early instanceof Response) return early
      const inner = new Request(`http://${service}${rest}${url.search}`, {
        method: request.method,
        headers: request.headers,
        ...(body.length > 0 ? { body } : {}),
      })
      const answer =
        real && service === 'service'
          ? await real.answer(inner)
          : await answerOf(service, inner, cloudflare, neon, (why) => misfits.push(why))
      const late = await faults.after(call, index)
      if (late === 'hang') await hang()
      return late instanceof Response ? late : answer
    },
    0,
  )
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-setup-'))
  const home = mkdtempSync(join(tmpdir(), 'agentcred-home-'))
  onTestFinished(async () => {
    for (const resolve of hanging) resolve()
    await close()
    for (const each of [folder, home]) rmSync(each, { recursive: true, force: true })
    expect(misfits).toEqual([])
  })
  return {
    cloudflare,
    neon,
    calls,
    faults,
    folder,
    origin,
    env: {
      PATH: `${join(import.meta.dirname, '../../../node_modules/.bin')}:${process.env.PATH}`,
      HOME: home,
      DEPLOYMENT_DIR: folder,
      // The tests may run in CI themselves.
      CI: '',
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_API_BASE_URL: `${origin}/cloudflare`,
      NEON_API_KEY: NEON_KEY,
      NEON_API_BASE_URL: `${origin}/neon`,
    } as Record<string, string>,
    /** Returns where a request to a public address goes instead, and its options. */
    rerouted(url: string, init: RequestInit = {}): [string, RequestInit] {
      const [found, host = ''] = /^https:\/\/([\w.-]+\.(?:workers\.dev|acme\.test))(?=\/)/.exec(url) ?? []
      if (found === undefined) return [url, init]
      const headers = { ...(init.headers as Record<string, string> | undefined), [PUBLIC_HOST]: host }
      return [url.replace(found, `${origin}/service`), { ...init, headers }]
    },
    /** Every file that the setup has left, by path. */
    files: () => filesIn(folder).concat(filesIn(home)),
  }
}

/** Every file of a folder with its text and rights. */
const filesIn = (folder: string): { path: string; text: string; mode: number }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 }))

async function answerOf(
  service: string,
  request: Request,
  cloudflare: CloudflareState,
  neon: NeonState,
  onMisfit: (why: string) => void,
): Promise<Response> {
  if (service === 'cloudflare') return answerCloudflare(cloudflare, request, onMisfit)
  if (service === 'neon') return answerNeon(neon, request, onMisfit)
  return answerService(cloudflare, request)
}
