import * as v from 'valibot'
import { CHAINS } from '../../solana/chains.ts'
import { UsageError } from '../arguments.ts'
import { DEPLOYMENT, type Deployment, type DeploymentFolder } from '../deploy/deployment.ts'
import type { SCRIPTS } from '../scripts.ts'

type Values = { [K in keyof typeof SCRIPTS.setup.options]?: string | boolean | string[] | undefined }

export type Options = {
  isPlan: boolean
  name: string
  domain: string | undefined
  topology: Deployment['topology']
  solana: Deployment['solana']
  live: 'on' | 'off'
  region: string | undefined
  neonProject: string | undefined
  vars: Record<string, string>
  timeoutMs: number
  /** Accepts an older secrets.json, if the newer one is lost. */
  takesSecrets: boolean
  /** The deployment before this command. */
  before: Partial<Deployment>
  /** Reads the options again, after files came from another machine. */
  reread: () => Options
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Reads the settings: from a flag, else from the deployment as it was, else the default.
 * @throws UsageError
 */
export function readSetup(values: Values, folder: DeploymentFolder): Options {
  const before = (folder.read(DEPLOYMENT) ?? {}) as Partial<Deployment>
  const pick = <T extends string>(flag: string, value: unknown, allowed: readonly T[]): T => {
    const parsed = v.safeParse(v.picklist(allowed), value)
    if (parsed.success) return parsed.output
    throw new UsageError(
      `--${flag} must be one of ${allowed.map((one) => one.replace('solana:', '')).join(', ')}`,
    )
  }
  const solana = text(values.solana)
  const name = text(values.name) ?? before.name ?? folder.defaultName
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name))
    throw new UsageError(
      '--name must be up to 31 lowercase letters, digits and hyphens, and start with a letter',
    )
  if (before.name !== undefined && before.name !== name)
    throw new UsageError(
      `the deployment in ${folder.folder} is called ${before.name}: add --stage <name> for another one`,
    )
  const timeout = Number(text(values.timeout) ?? '30')
  if (!(timeout > 0 && timeout <= 600)) throw new UsageError('--timeout must be from 1 to 600 seconds')
  return {
    isPlan: values.plan === true,
    name,
    domain: text(values.domain)?.toLowerCase() ?? (before.zone === undefined ? undefined : before.host),
    topology: pick('topology', text(values.topology) ?? before.topology ?? 'gateway', ['gateway', 'routes']),
    solana: pick('solana', solana ? withPrefix(solana) : (before.solana ?? 'none'), ['none', ...CHAINS]),
    live: pick('live', text(values.live) ?? before.live ?? 'on', ['on', 'off']),
    region: text(values.region),
    neonProject: text(values['neon-project']) ?? before.neonProject,
    vars: { ...before.vars, ...Object.fromEntries((values.var as string[] | undefined)?.map(pair) ?? []) },
    timeoutMs: timeout * 1000,
    takesSecrets: values['these-secrets'] === true,
    before,
    reread: () => readSetup(values, folder),
  }
}

const withPrefix = (chain: string): string =>
  chain === 'none' ? chain : `solana:${chain.replace('solana:', '')}`

function pair(text: string): [string, string] {
  const [, name, value] = /^([A-Z_]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--var must be <NAME>=<value>')
  return [name, value]
}
