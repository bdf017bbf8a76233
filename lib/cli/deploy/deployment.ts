import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { lockFile } from '../../local/lock.ts'
import { CHAINS } from '../../solana/chains.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The Workers that a deployment without Solana leaves out. */
export const GROUPS_OF_SOLANA = ['vault', 'payments', 'work', 'x402', 'settlement']
/** The Workers that a deployment without live events leaves out. */
export const GROUPS_OF_LIVE = ['live']

/** Returns the Workers that a deployment leaves out. */
export const groupsLeftOut = ({ solana, live }: Pick<Deployment, 'solana' | 'live'>): string[] => [
  ...(solana === 'none' ? GROUPS_OF_SOLANA : []),
  ...(live === 'off' ? GROUPS_OF_LIVE : []),
]

const Texts = v.record(v.string(), v.string())

/** A deployment: settings, ids, addresses. It holds no secret. */
const Deployment = v.object({
  /** Begins the names of its Workers and queues. */
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/)),
  accountId: v.string(),
  topology: v.picklist(['gateway', 'routes']),
  /** Where the service answers. */
  host: v.string(),
  /** The zone of the host; none for a host of workers.dev. */
  zone: v.optional(v.string()),
  /** Former hosts, the oldest first. The service still answers there. */
  formerHosts: v.optional(
    v.array(
      v.object({
        host: v.string(),
        zone: v.optional(v.string()),
        topology: v.picklist(['gateway', 'routes']),
      }),
    ),
  ),
  /** The host that was seen to answer. Pages at former hosts lead to it. */
  provenHost: v.optional(v.string()),
  /** ARD_PUBLISHER: never changes. */
  publisher: v.string(),
  solana: v.picklist([...CHAINS, 'none']),
  /** Whether events are sent as they happen. Absent in a deployment that release 1.0.0 made. */
  live: v.optional(v.picklist(['on', 'off'])),
  /** Neon's id of the project that the database is in. */
  neonProject: v.optional(v.string()),
  /** KV namespaces' ids by binding. */
  kv: Texts,
  /** The number before the first rate limit's. */
  rateLimits: v.pipe(v.number(), v.integer()),
  /** Durable Objects' location hint. */
  clockLocation: v.string(),
  /** The bytes that the database's plan stores; empty if a plan bills by use. */
  databaseLimit: v.optional(v.string()),
  /** Variables with another value than in wrangler.toml. */
  vars: Texts,
})
export type Deployment = v.InferOutput<typeof Deployment>

/** A deployment's folder, which deploy/stage.ts finds. Only its owner can read its files. */
export type DeploymentFolder = ReturnType<typeof openDeployment>

/** @param stage of `--stage`: it gives the folder and the deployment their names */
export function openDeployment(env: NodeJS.ProcessEnv, stage?: string) {
  const suffix = stage === undefined ? '' : `-${stage}`
  const folder = resolve(ROOT, env.DEPLOYMENT_DIR || `.deployment${suffix}`)
  const path = (name: string) => join(folder, name)
  const read = (name: string): unknown => {
    if (!existsSync(path(name))) return undefined
    try {
      return JSON.parse(readFileSync(path(name), 'utf8'))
    } catch {
      throw new Error(`${path(name)} is not valid JSON: restore its last good copy`)
    }
  }
  const make = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }
  /** Replaces a file in one step: a process that is killed leaves the old file or the new one. */
  const write = (name: string, text: string) => {
    make()
    writeFileSync(path(`${name}.new`), text, { mode: 0o600, flush: true })
    renameSync(path(`${name}.new`), path(name))
  }
  const writeJson = (name: string, value: unknown) => write(name, `${JSON.stringify(value, null, 2)}\n`)
  return {
    folder,
    /** The name of a deployment that is made here without `--name`. */
    defaultName: `agentcred${suffix}`,
    path,
    read,
    write,
    writeJson,
    remove: (name: string) => rmSync(path(name), { force: true, recursive: true }),
    /** Works alone in the folder. @throws Error that names another process which works in it */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      make()
      const release = await lockFile(path('lock'), {
        patienceMs: 0,
        inUse: (lock, pid) =>
          `process ${pid} is using the deployment in ${folder}: wait until it has ended, and run this again (if process ${pid} is not AgentCred, delete ${lock})`,
      })
      return work().finally(release)
    },
    /** @throws Error that says what to do if there is no deployment, or that names the invalid field */
    deployment(): Deployment {
      const value = read(DEPLOYMENT)
      if (value === undefined)
        throw new Error(
          `there is no deployment in ${folder}: run npm run setup to make one, or npm run setup -- --adopt to use one that another machine made`,
        )
      const parsed = v.safeParse(Deployment, value)
      if (parsed.success) return parsed.output
      const [issue] = parsed.issues
      throw new Error(`${path(DEPLOYMENT)}: ${v.getDotPath(issue)} ${issue.message}`)
    },
    /** Returns the secrets of the Workers by name. The environment overrides secrets.json. */
    secrets: (): Record<string, string | undefined> => ({
      ...(read(SECRETS) as Record<string, string> | undefined),
      ...Object.fromEntries(Object.entries(env).filter(([, value]) => value)),
    }),
  }
}

export const DEPLOYMENT = 'deployment.json'
export const SECRETS = 'secrets.json'
