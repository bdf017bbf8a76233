import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import type { Source } from '../../../lib/cli/deploy/source.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { setUp } from '../../../lib/cli/setup/run.ts'
import { type Options, upgrade } from '../../../lib/cli/upgrade/run.ts'
import { addDatabase, replaceDatabase } from '../database.ts'
import type { Cloud } from './cloud.ts'
import { formerly, sourceOf } from './releases.ts'

/** Runs the fetches of this process against a cloud in the place of public addresses. */
export function reroute(cloud: () => Cloud): void {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    typeof url === 'string' ? fetch(...cloud().rerouted(url, init)) : fetch(url, init),
  )
}

export type Deployed = Awaited<ReturnType<typeof deployFirst>>

/** Sets release 1.0.0 up, and keeps what there is then, for many tests to begin with. */
export async function deployFirst(
  cloud: Cloud,
  source = sourceOf('1.0.0'),
  values: Parameters<typeof readSetup>[0] = {},
) {
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  await setUp({ folder, env: cloud.env, say: () => {}, source }, readSetup(values, folder))
  return copyOfCloud(cloud)
}

/** Keeps what there is now. */
async function copyOfCloud(cloud: Cloud) {
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

/** The value of CODE of a Worker's version that gets all requests. */
export function codeOf({ cloudflare }: Cloud, worker: string): string | undefined {
  const { shares = [], versions = [] } = cloudflare.scripts.get(`agentcred-${worker}`) ?? {}
  const [main, ...others] = shares
  if (others.length > 0) return `${shares.map(({ percentage }) => percentage)}`
  const { bindings = [] } = versions.find(({ id }) => id === main?.version_id)?.metadata ?? {}
  return bindings.find(({ name }) => name === 'CODE')?.text
}

/** Runs an upgrade in this process. @returns what it said, and why it stopped */
export async function runUpgrade(cloud: Cloud, source: Source, options: Partial<Options> = {}) {
  const lines: string[] = []
  const former = formerly()
  const all = {
    isPlan: false,
    isRollback: false,
    timeoutMs: 60_000,
    pause: async () => {},
    former,
    ...options,
  }
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const command = { folder, env: cloud.env, say: (line: string) => lines.push(line), source }
  const stopped = await upgrade(command, all).then(
    () => undefined,
    (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
  )
  return { said: lines.join('\n'), stopped }
}

/** Returns the state of a cloud that must be the same after every kind of upgrade. */
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
