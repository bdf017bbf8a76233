import { isMade, MADE } from '../../tools/made-variables.ts'
import { suggestion } from '../arguments.ts'
import { type RawConfig, requireFitting } from '../deploy/config.ts'
import type { Deployment } from '../deploy/deployment.ts'
import { requireValues, URLS } from '../deploy/settings.ts'
import { knownVars, unknownVars } from '../deploy/vars.ts'
import { CommandError } from './errors.ts'
import { GIVEN, PUBLIC } from './keys.ts'
import type { Options } from './options.ts'

/**
 * Checks the variables of a deployment before anything is made or stored.
 * @returns the deployment's variables that this release does not know: a later one may know them
 * @throws Error that names the variable: one that `--var` may not set, or one with an invalid value
 */
export function requireVariables({ vars, changes, before, solana }: Options, base: RawConfig): string[] {
  for (const [name, value] of Object.entries(changes)) {
    const isRemoved = value === '' && before.vars?.[name] !== undefined && !PUBLIC.includes(name)
    const reason = isRemoved ? undefined : reasonAgainst(name, base)
    if (reason !== undefined) throw new CommandError(`${name}: ${reason}`)
  }
  requireFitting({ solana, vars })
  requireValues({ ...defaultsOf(base), ...vars })
  return unknownVars(base, vars)
}

/** Settings that are no variables, and the options that decide them. */
const BY_OPTION: Record<string, string | undefined> = { ...MADE, SOLANA_CHAIN: '--solana', LIVE: '--live' }

/** Says why `--var` may not set a variable. */
function reasonAgainst(name: string, base: RawConfig): string | undefined {
  const option = BY_OPTION[name]
  if (option !== undefined) return `the deployment makes it; use ${option} instead of --var.`
  if (isMade(name)) return 'the deployment makes it, and --var can’t change it.'
  if (GIVEN.includes(name)) return 'set it in the environment instead of --var.'
  if (/^DATABASE_URL/.test(name) || secretsOf(base).includes(name))
    return 'npm run setup makes this secret; --var sets variables only.'
  const known = knownVars(base)
  if (known.includes(name)) return undefined
  return `wrangler.toml has no such variable.${suggestion(name, known)}`
}

const secretsOf = ({ env }: RawConfig): string[] =>
  Object.values(env).flatMap(({ secrets }) => secrets?.required ?? [])

/** Returns the variables of all Workers, as wrangler.toml has them. */
const defaultsOf = ({ env }: RawConfig): Record<string, string> =>
  Object.assign({}, ...Object.values(env).map(({ vars }) => vars))

/** Returns a line for each setting that changes: its value before and after, or its restored default. */
export function changesOf({ before, vars }: Options, after: Deployment, base: RawConfig): string[] {
  const defaults = defaultsOf(base)
  const { name, topology, solana, live = 'on' } = before
  const options = name === undefined ? {} : { topology, solana, live }
  const changed = Object.entries(options).flatMap(([option, value]) => {
    const next = after[option as keyof typeof options]
    return value === next ? [] : [`set   ${option} from ${value} to ${next}`]
  })
  const names = new Set([...Object.keys(before.vars ?? {}), ...Object.keys(vars)])
  return changed.concat(
    [...names].toSorted().flatMap((one) => {
      const [was, next] = [before.vars?.[one], vars[one]]
      if (was === next || PUBLIC.includes(one)) return []
      const [from, to] = [was, next].map((value) => shown(one, value ?? defaults[one] ?? ''))
      return next === undefined
        ? [`reset ${one} from ${from} to its default, ${to}`]
        : [`set   ${one} from ${from} to ${to}`]
    }),
  )
}

/** Hides the path of a URL, which may hold a token. */
const shown = (name: string, value: string): string => {
  if (value === '') return 'empty'
  return URLS.some((one) => one === name) ? `${URL.parse(value)?.origin}/…` : value
}
