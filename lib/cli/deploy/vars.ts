import { configFor, type RawConfig } from './config.ts'
import { DEPLOYMENT } from './deployment.ts'
import { folderOf } from './stage.ts'

/** The names of variables that no Worker of wrangler.toml has. */
export function unknownVars({ env }: RawConfig, vars: Record<string, string>): string[] {
  const names = new Set(Object.values(env).flatMap((group) => Object.keys(group.vars ?? {})))
  return Object.keys(vars).filter((name) => !names.has(name))
}

/** Whether the deployment that a script works on has no Solana: the database is not the local platform's. */
export function isWithoutSolana(env: NodeJS.ProcessEnv): boolean {
  const folder = folderOf(env)
  const isDeployed = env.DATABASE_URL && folder.read(DEPLOYMENT) !== undefined
  return isDeployed ? folder.deployment().solana === 'none' : false
}

/**
 * Reads the settings of the service that a script works on, which Workers have as variables: the
 * environment's value first, then that of the deployment in `.deployment/`, then wrangler.toml's. Without
 * DATABASE_URL it works on the local platform, which knows no deployment.
 * @returns the value of a variable; empty where no Worker has it
 * @throws Error that names the deployment's field at fault
 */
export async function readVars(env: NodeJS.ProcessEnv): Promise<(name: string) => string> {
  // It loads wrangler, which takes longer than all the rest.
  const { readRaw } = await import('../../tools/wrangler.ts')
  const base = readRaw() as RawConfig
  const folder = folderOf(env)
  const isDeployed = env.DATABASE_URL && folder.read(DEPLOYMENT) !== undefined
  const config = isDeployed ? configFor(base, folder.deployment(), (path) => path) : base
  // What several Workers have is the same in all of them (settings.ts, requireVariables).
  const vars = Object.assign({}, ...Object.values(config.env).map((group) => group.vars))
  return (name) => env[name] || vars[name] || ''
}
