import { configFor, type RawConfig, withNamespaces } from './config.ts'
import { DEPLOYMENT } from './deployment.ts'
import { folderOf } from './stage.ts'

/** Returns the names of all variables in wrangler.toml. */
export const knownVars = ({ env }: RawConfig): string[] =>
  Object.values(env).flatMap((group) => Object.keys(group.vars ?? {}))

/** Returns the names of variables that no Worker of wrangler.toml has. */
export function unknownVars(base: RawConfig, vars: Record<string, string>): string[] {
  const names = new Set(knownVars(base))
  return Object.keys(vars).filter((name) => !names.has(name))
}

/** Returns whether a script works on a deployment without Solana. The local platform always has Solana. */
export function isWithoutSolana(env: NodeJS.ProcessEnv): boolean {
  const folder = folderOf(env)
  const isDeployed = env.DATABASE_URL && folder.read(DEPLOYMENT) !== undefined
  return isDeployed ? folder.deployment().solana === 'none' : false
}

/**
 * Reads the variables of the Workers for a script. The environment overrides the deployment in
 * `.deployment/`, which overrides wrangler.toml. Without DATABASE_URL the script works on the local platform,
 * which has no deployment.
 * @returns the value of a variable; empty if no Worker has it
 * @throws Error that names the deployment's invalid field
 */
export async function readVars(env: NodeJS.ProcessEnv): Promise<(name: string) => string> {
  // Imported late: it loads wrangler, which takes longer than all the rest.
  const { readRaw } = await import('../../tools/wrangler.ts')
  const base = readRaw() as RawConfig
  const folder = folderOf(env)
  const isDeployed = env.DATABASE_URL && folder.read(DEPLOYMENT) !== undefined
  const config = isDeployed
    ? configFor(base, withNamespaces(base, folder.deployment()), (path) => path)
    : base
  // A variable has the same value in all Workers (settings.ts, requireVariables).
  const vars = Object.assign({}, ...Object.values(config.env).map((group) => group.vars))
  return (name) => env[name] || vars[name] || ''
}
