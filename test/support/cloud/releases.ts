import type { RawConfig, RawGroup } from '../../../lib/cli/deploy/config.ts'
import type { Former } from '../../../lib/cli/deploy/former.ts'
import { ROOT, type Source } from '../../../lib/cli/deploy/source.ts'
import { MIGRATIONS } from '../../../lib/migrations/migrations.ts'
import { readRaw } from '../../../lib/tools/wrangler.ts'
import { API_SCHEMA } from '../../../schema/release.ts'

const raw = readRaw() as RawConfig & Record<string, unknown>
const main = 'test/support/cloud/worker.ts'
const group = (name: string, of: Partial<RawGroup>): RawGroup => ({ name: `agentcred-${name}`, main, ...of })

/** Three Workers: the public one, one with routes, and one with a cron, a class and a database. */
const base = (): RawConfig => ({
  ...raw,
  env: {
    root: group('root', {
      vars: {
        ...{ API_HOST: 'api.agentcred.example', GATEWAY: '', NOT_OFFERED: '' },
        ...{ FORMER_HOSTS: '', API_ORIGIN: 'https://api.agentcred.example' },
      },
    }),
    jobs: group('jobs', {
      triggers: { crons: ['*/10 * * * *'] },
      durable_objects: { bindings: [{ name: 'CLOCK', class_name: 'Clock' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Clock'] }],
      secrets: { required: ['DATABASE_URL', 'WEBHOOK_SIGNING_KEYS'] },
    }),
    mcp: group('mcp', {
      routes: [{ pattern: 'api.agentcred.example/v1/mcp*', zone_name: 'agentcred.example' }],
      vars: { API_ORIGIN: '', ARD_PUBLISHER: '', CODE: '1' },
      services: [{ binding: 'JOBS', service: 'agentcred-jobs' }],
    }),
  },
})

/** A release of these Workers. @param change what it has changed since the first */
export function sourceOf(
  version: string,
  change: (env: Record<string, RawGroup>) => void = () => {},
): Source {
  const made = base()
  change(made.env)
  return {
    root: ROOT,
    base: made,
    release: { version, apiSchema: API_SCHEMA, sources: 'the same', commit: `commit of ${version}` },
    migrations: MIGRATIONS,
  }
}

/**
 * A release of all Workers of wrangler.toml, by code that stands for theirs.
 * @param without the groups that it does not have yet
 * @param change what it has changed since the first
 */
export function wholeService(
  version: string,
  without: string[] = [],
  change: (env: Record<string, RawGroup>) => void = () => {},
): Source {
  const env: Record<string, RawGroup> = Object.fromEntries(
    Object.entries(raw.env).flatMap(([name, { build: _, assets: __, ...one }]) =>
      without.includes(name) ? [] : [[name, { ...one, main }]],
    ),
  )
  change(env)
  return { ...sourceOf(version), base: { ...raw, env } }
}

/** Another code of a Worker. */
export const changed = (raw: RawGroup | undefined): void => {
  if (raw) raw.vars = { ...raw.vars, CODE: '2' }
}

/** A release of Workers that log in to the database and know sessions. @param change what it has changed */
const sessionsOf = (version: string, change: (env: Record<string, RawGroup>) => void = () => {}): Source =>
  sourceOf(version, (env) => {
    delete env.jobs
    delete env.mcp?.services
    env.auth = group('auth', {
      kv_namespaces: [{ binding: 'NONCES', id: '00000000000000000000000000000001' }],
      secrets: { required: ['DATABASE_URL', 'SESSION_SIGNING_KEY', 'SESSION_JWKS'] },
    })
    env.agents = group('agents', { secrets: { required: ['DATABASE_URL', 'SESSION_JWKS'] } })
    change(env)
  })

/** The first such release, and the next one, in which one Worker has changed. */
export const SESSIONS = sessionsOf('1.0.0')
export const SESSIONS_NEXT = sessionsOf('1.1.0', ({ mcp }) => changed(mcp))

/** A release with consumers of queues, beside Workers that are bound to each other, classes and routes. */
export const WITH_QUEUES = sourceOf('1.0.0', ({ jobs }) => {
  const [deliveries, dead] = ['agentcred-deliveries', 'agentcred-dead']
  Object.assign(jobs ?? {}, {
    kv_namespaces: [{ binding: 'NONCES', id: '1'.repeat(32) }],
    queues: {
      producers: [{ binding: 'DELIVERIES', queue: deliveries }],
      consumers: [{ queue: deliveries, dead_letter_queue: dead }, { queue: dead }],
    },
  })
})

/** A release after the first, in which one Worker has changed, and is run by a cron now. */
export const SECOND = sourceOf('1.1.0', ({ mcp }) => {
  changed(mcp)
  if (mcp) mcp.triggers = { crons: ['0 3 * * *'] }
})

/** Gives a source for a former release, in the place of a clone's. */
export const formerly =
  (source = sourceOf('1.0.0')): Former =>
  async (release, work) => {
    if (source.release.version !== release.version) throw new Error(`no source of ${release.version}`)
    await work({ ...source, release })
  }
