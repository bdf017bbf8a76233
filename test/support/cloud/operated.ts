import pg from 'pg'
import { databaseUrlOf } from '../../../lib/cli/deploy/database-urls.ts'
import { openDeployment, SECRETS } from '../../../lib/cli/deploy/deployment.ts'
import { rotateKeys } from '../../../lib/cli/rotate/command.ts'
import type { What } from '../../../lib/cli/rotate/run.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { proxyError } from '../../../lib/local/neon/handler.ts'
import { type Group, groups, roleOf } from '../../../schema/rights.ts'
import type { Service } from '../service.ts'
import { startCloud } from './cloud.ts'
import { SESSIONS } from './releases.ts'
import { deployedSecrets, secretsOf } from './scripts.ts'
import { reroute } from './upgrades.ts'

/** How long a call may take. */
const CALL_MS = 60_000

/** The Workers that go up, by the groups of rights that they log in with. */
const UPLOADED: Partial<Record<Group, string>> = { auth: 'auth', decide: 'agents' }

export type Operated = Awaited<ReturnType<typeof operate>>

/** Makes a deployment of a running service's Workers. Some are uploaded to the fakes, with its keys. */
export async function operate(service: Service) {
  const cloud = await startCloud({
    url: service.database.url,
    answer: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const answer = await fetch(service.origin + pathname + search, {
        method,
        headers: { 'content-type': headers.get('content-type') ?? '', 'accept-encoding': 'identity' },
        ...(method === 'GET' ? {} : { body: await request.text() }),
      })
      return new Response(await answer.text(), { status: answer.status })
    },
  })
  reroute(() => cloud)
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  folder.writeJson(SECRETS, service.keys)
  /** Which URLs of Workers log in. */
  const known = new Map<string, boolean>()
  /** Runs a command. @returns what it said, and why it stopped */
  const run = async (work: (say: (line: string) => void) => Promise<void>) => {
    const lines: string[] = []
    const stopped = await work((line) => lines.push(line)).then(
      () => undefined,
      (error: Error) => error.message,
    )
    known.clear()
    return { said: lines.join('\n'), stopped }
  }
  const command = { folder, env: cloud.env, source: SESSIONS }
  const urlOf = (group: Group): string => {
    const worker = UPLOADED[group]
    const url = worker ? deployedSecrets(cloud, worker).DATABASE_URL : secretsOf(cloud)[databaseUrlOf(group)]
    return url ?? ''
  }
  return {
    cloud,
    urlOf,
    setUp: () => run((say) => setUp({ ...command, say }, readSetup({}, folder))),
    /** @param options.timeoutMs a service that is not well is asked for six times as long */
    rotate: (what: What, { isAtOnce = false, isStop = false, timeoutMs = CALL_MS } = {}) =>
      run((say) => rotateKeys({ ...command, say }, what, { isPlan: false, isAtOnce, isStop, timeoutMs })),
    /**
     * Returns the error of Neon's proxy for a Worker whose login is closed, or whose URL names another
     * database than the service's; undefined if it may log in.
     */
    async refusalOf(request: Request): Promise<Response | undefined> {
      const { username } = new URL(request.headers.get('Neon-Connection-String') ?? '')
      const group = groups.find((one) => username.startsWith(`${roleOf(one)}_`))
      if (!group) return undefined
      const url = urlOf(group)
      if (!known.has(url)) known.set(url, await logsIn(url))
      const isIn = known.get(url) && new URL(url).pathname === new URL(service.database.url).pathname
      return isIn ? undefined : proxyError(400, `password authentication failed for user '${username}'`)
    },
  }
}

/** Whether a login has this password. */
export async function logsIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  const isIn = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isIn
}
