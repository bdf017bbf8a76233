import * as v from 'valibot'
import { CHAINS } from '../../solana/chains.ts'
import { UsageError } from '../arguments.ts'
import { DEPLOYMENT, type Deployment, type DeploymentFolder } from '../deploy/deployment.ts'
import type { SCRIPTS } from '../scripts.ts'
import { type KeptOptions, nameIn, readJournal } from './journal.ts'

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
  /** The variables after this command. */
  vars: Record<string, string>
  /** The variables of `--var`; empty: the default. */
  changes: Record<string, string>
  /** The options for the next run of a first setup; undefined once the deployment is recorded. */
  kept: KeptOptions | undefined
  /** Whether this command has an option that lasts. */
  isGiven: boolean
  /** Options of earlier runs that this run takes, as on a command line. */
  resumed: string
  timeoutMs: number
  /** Accepts an older secrets.json, if the newer one is lost. */
  takesSecrets: boolean
  /** The deployment before this command. */
  before: Partial<Deployment>
  /** Reads the options again, after files came from another machine. */
  reread: () => Options
}

/** The options that make a deployment what it is. */
const LASTING = ['name', 'domain', 'topology', 'solana', 'live', 'region', 'neon-project', 'var'] as const

/** Returns an option's value; undefined if it is empty. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Reads the settings: from an option, else from the deployment as it was, else the default. Until a first
 * setup has recorded the deployment, the options of its earlier runs count, too.
 * @throws UsageError
 */
export function readSetup(given: Values, folder: DeploymentFolder): Options {
  const recorded = folder.read(DEPLOYMENT) as Partial<Deployment> | undefined
  const before = recorded ?? {}
  const journal = readJournal(folder)
  const earlier = recorded ? {} : (journal.options ?? {})
  const values: Values = { ...earlier, ...given, var: [...varsIn(earlier), ...varsIn(given)] }
  const pick = <T extends string>(flag: string, value: unknown, allowed: readonly T[]): T => {
    const parsed = v.safeParse(v.picklist(allowed), value)
    if (parsed.success) return parsed.output
    throw new UsageError(
      `--${flag} must be one of ${allowed.map((one) => one.replace('solana:', '')).join(', ')}`,
    )
  }
  const solana = text(values.solana)
  const begunName = recorded ? undefined : nameIn(journal)
  const name = text(values.name) ?? before.name ?? begunName ?? folder.defaultName
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name))
    throw new UsageError(
      '--name must be up to 31 lowercase letters, digits and hyphens, and start with a letter',
    )
  if (before.name !== undefined && before.name !== name)
    throw new UsageError(
      `the deployment in ${folder.folder} is called ${before.name}: add --stage <name> for another one`,
    )
  if (begunName !== undefined && begunName !== name && journal.begun.length > 0)
    throw new UsageError(
      `the setup in ${folder.folder} has begun as ${begunName}: run it without --name to continue, or add --stage <name> for another deployment, or remove this one with npm run destroy`,
    )
  const changes = Object.fromEntries(varsIn(values).map(pair))
  const vars = { ...before.vars, ...changes }
  for (const [changed, value] of Object.entries(changes)) if (value === '') delete vars[changed]
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
    vars,
    changes,
    kept: recorded ? undefined : keptOf(values, name, vars),
    isGiven: LASTING.some((option) => given[option] !== undefined),
    resumed: lineOf(earlier, given),
    timeoutMs: timeout * 1000,
    takesSecrets: values['these-secrets'] === true,
    before,
    reread: () => readSetup(given, folder),
  }
}

const withPrefix = (chain: string): string =>
  chain === 'none' ? chain : `solana:${chain.replace('solana:', '')}`

const varsIn = (values: Values): string[] => (values.var ?? []) as string[]

/** Returns the options to keep, without empty ones. */
const keptOf = (values: Values, name: string, vars: Record<string, string>): KeptOptions => ({
  ...Object.fromEntries(
    LASTING.flatMap((option) => (text(values[option]) ? [[option, String(values[option])]] : [])),
  ),
  name,
  var: Object.entries(vars).map((entry) => entry.join('=')),
})

/** Returns the earlier options that are not given again, without values of variables: one may be a token. */
function lineOf(earlier: KeptOptions, given: Values): string {
  const options = Object.entries(earlier).flatMap(([option, value]) =>
    typeof value !== 'string' || option in given ? [] : [`--${option} ${value}`],
  )
  const again = varsIn(given).map((entry) => pair(entry)[0])
  const vars = varsIn(earlier).flatMap((entry) => {
    const [variable] = pair(entry)
    return again.includes(variable) ? [] : [`--var ${variable}=…`]
  })
  return [...options, ...vars].join(' ')
}

function pair(text: string): [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--var must be <NAME>=<value>')
  return [name, value]
}
