import { secretNameOf, urlsOfGroups } from '../../lib/cli/deploy/database-urls.ts'
import { type DeploymentFolder, openDeployment, SECRETS } from '../../lib/cli/deploy/deployment.ts'
import { rotate, type What } from '../../lib/cli/rotate/run.ts'
import { makeKeys } from '../../lib/cli/setup/keys.ts'
import type { Options } from '../../lib/cli/setup/options.ts'
import { readWorkers } from '../../lib/tools/wrangler.ts'
import { temporaryFolder } from './key-files.ts'

type Texts = Record<string, string>

class Killed extends Error {}

/**
 * A deployment without a cloud: each Worker's secrets and variables as they were deployed last. A run may be
 * killed before any of its effects, which are writes of files and deployments of single Workers.
 * @param onWorker receives the secrets of all Workers after each upload
 */
export async function deploymentToRotate(
  onWorker: (deployed: Map<string, Texts>, now: Date) => void | Promise<void> = () => {},
  given: Texts = {},
) {
  const folder = openDeployment({ DEPLOYMENT_DIR: temporaryFolder() })
  const deployment = {
    name: 'acme',
    accountId: 'a'.repeat(32),
    topology: 'gateway',
    host: 'acme-root.acme.workers.dev',
    publisher: 'acme.test',
    solana: 'solana:devnet',
    kv: { NONCES: 'b'.repeat(32), CATALOG: 'c'.repeat(32) },
    rateLimits: 5000,
    clockLocation: '',
    vars: {} as Texts,
  }
  const env = {
    SOLANA_RPC_URL: 'https://rpc.test',
    VAULT_MINT: 'So11111111111111111111111111111111111111112',
    ...given,
  }
  deployment.vars = await makeKeys(folder, env, { solana: 'solana:devnet' } as Options, {
    DATABASE_URL: given.DATABASE_URL ?? 'none',
    ...urlsOfGroups(given.DATABASE_URL ?? 'postgres://db.test/x', {}),
  })
  folder.writeJson('deployment.json', deployment)
  const workers = new Map(readWorkers().map((worker) => [worker.group, worker]))
  const deployed = new Map<string, Texts>()
  const lines: string[] = []
  let now = Date.parse('2026-11-20T12:00:00Z')
  let effectsLeft = Infinity
  const effect = <T>(work: () => T): T => {
    if (effectsLeft-- <= 0) throw new Killed('killed')
    return work()
  }
  const killable: DeploymentFolder = {
    ...folder,
    writeJson: (name, value) => effect(() => folder.writeJson(name, value)),
    write: (name, text) => effect(() => folder.write(name, text)),
  }
  const secrets = () => folder.read(SECRETS) as Texts
  const deploy = async (groups: string[]) => {
    const all: Texts = { ...secrets(), ...folder.deployment().vars }
    for (const group of groups)
      await effect(async () => {
        const { requiredSecrets = [], vars = {} } = workers.get(group) ?? {}
        const names = [...requiredSecrets, ...Object.keys(vars)]
        deployed.set(
          group,
          Object.fromEntries(names.map((name) => [name, all[secretNameOf(group, name)] ?? ''])),
        )
        await onWorker(deployed, new Date(now))
      })
  }
  await deploy([...workers.keys()])
  return {
    folder,
    deployed,
    lines,
    secrets,
    /** Returns the secrets of Workers that differ from secrets.json. */
    stale: (): string[] =>
      [...deployed].flatMap(([group, worker]) =>
        Object.keys(worker).filter(
          (name) => worker[name] !== (secrets()[secretNameOf(group, name)] ?? worker[name]),
        ),
      ),
    wait: (ms: number) => {
      now += ms
    },
    /** @returns whether it ended by itself, before it was killed */
    async run(what: What, { isAtOnce = false, isPlan = false, killAfter = Infinity } = {}): Promise<boolean> {
      effectsLeft = killAfter
      const say = (line: string) => lines.push(line)
      try {
        const sleep = async (ms: number) => {
          now += ms
        }
        const keep = async () => {}
        const clock = () => new Date(now)
        await rotate(killable, what, { isAtOnce, isPlan, clock, sleep, deploy, keep, say })
        return true
      } catch (error) {
        if (error instanceof Killed) return false
        throw error
      } finally {
        effectsLeft = Infinity
      }
    },
  }
}
