import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { RawConfig, RawGroup } from '../../../lib/cli/deploy/config.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import type { Source } from '../../../lib/cli/deploy/source.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { type Options, upgrade } from '../../../lib/cli/upgrade/run.ts'
import { MIGRATIONS } from '../../../lib/local/neon/migrations.ts'
import { readRaw } from '../../../lib/tools/wrangler.ts'
import { API_SCHEMA } from '../../../schema/release.ts'
import { addDatabase, replaceDatabase } from '../database.ts'
import type { Cloud } from './cloud.ts'

const raw = readRaw() as RawConfig & Record<string, unknown>
const main = 'test/support/cloud/worker.ts'
const group = (name: string, of: Partial<RawGroup>): RawGroup => ({ name: `agentcred-${name}`, main, ...of })

/** Three Workers: the public one, one with routes, and one with a cron, a class and a database. */
const base = (): RawConfig => ({
  ...raw,
  env: {
    root: group('root', { vars: { API_HOST: 'api.agentcred.example', GATEWAY: '', NOT_OFFERED: '' } }),
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

/** Runs the fetches of this process against a cloud in the place of public addresses. */
export function reroute(cloud: () => Cloud): void {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    fetch(typeof url === 'string' ? cloud().rerouted(url) : url, init),
  )
}

/** A release of these Workers. @param change what it has changed since the first */
export function sourceOf(
  version: string,
  change: (env: Record<string, RawGroup>) => void = () => {},
): Source {
  const made = base()
  change(made.env)
  return {
    base: made,
    release: { version, apiSchema: API_SCHEMA, sources: 'the same' },
    migrations: MIGRATIONS,
  }
}

/** Another code of a Worker. */
export const changed = (raw: RawGroup | undefined): void => {
  if (raw) raw.vars = { ...raw.vars, CODE: '2' }
}

export type Deployed = Awaited<ReturnType<typeof deployFirst>>

/** Sets release 1.0.0 up, and keeps what there is then, for many tests to begin with. */
export async function deployFirst(cloud: Cloud) {
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  await setUp(folder, readSetup({}, folder), cloud.env, () => {}, sourceOf('1.0.0'))
  return copyOfCloud(cloud)
}

/** Keeps what there is now. */
export async function copyOfCloud(cloud: Cloud) {
  const copy = mkdtempSync(join(tmpdir(), 'agentcred-deployed-'))
  cpSync(cloud.folder, copy, { recursive: true })
  const { isIll: _, ...state } = cloud.cloudflare
  return {
    folder: copy,
    state: structuredClone(state),
    projects: structuredClone(cloud.neon.projects),
    url: await copyOf(cloud.neon.url),
  }
}

const copyOf = (url: string) => addDatabase(new URL(url).pathname.slice(1))

/** Lets a cloud of its own begin where another had come to. */
export async function beginWith(cloud: Cloud, { folder, state, projects, url }: Deployed): Promise<void> {
  rmSync(cloud.folder, { recursive: true })
  cpSync(folder, cloud.folder, { recursive: true })
  Object.assign(cloud.cloudflare, structuredClone(state))
  Object.assign(cloud.neon, { projects: structuredClone(projects) })
  // By the same name: it is a part of what Workers are given.
  await replaceDatabase(cloud.neon.url, url)
}

/**
 * Runs an upgrade in this process.
 * @param isDead whether the run has been killed: it reaches no file any more
 * @returns what it said, and why it stopped
 */
export async function runUpgrade(
  cloud: Cloud,
  source: Source,
  options: Partial<Options> = {},
  isDead = () => false,
) {
  const lines: string[] = []
  const all = { isPlan: false, isRollback: false, timeoutMs: 5_000, pause: async () => {}, ...options }
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  for (const name of ['read', 'write', 'writeJson', 'remove', 'deployment'] as const) {
    const method = folder[name] as (...args: unknown[]) => unknown
    Reflect.set(folder, name, (...args: unknown[]) => {
      if (isDead()) throw new Error('killed')
      return method(...args)
    })
  }
  const stopped = await upgrade(folder, all, cloud.env, (line) => lines.push(line), source).then(
    () => undefined,
    (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
  )
  return { said: lines.join('\n'), stopped }
}

/** What of a cloud is to be the same, however an upgrade came there. */
export const endState = ({ cloudflare }: Cloud) =>
  Object.fromEntries(
    [...cloudflare.scripts].map(([name, { shares, versions, crons }]) => [
      name,
      {
        shares: shares.map(({ version_id, percentage }) => [
          versions.toReversed().findIndex(({ id }) => id === version_id),
          percentage,
        ]),
        versions: versions.length,
        crons,
      },
    ]),
  )
