import { UsageError } from '../arguments.ts'
import { type DeploymentFolder, openDeployment, SECRETS } from './deployment.ts'

/** A stage's name, short enough for agentcred-<stage> to be a deployment's name. */
const NAME = /^[a-z][a-z0-9-]{0,20}$/

/**
 * Opens the deployment of a command: by --stage, else by DEPLOYMENT_DIR, else `.deployment/`.
 * @param secrets override the secrets in its secrets.json
 * @throws UsageError if both are given, or the stage's name is invalid
 */
export function folderOf(
  { DEPLOYMENT_DIR }: NodeJS.ProcessEnv,
  { stage }: { stage?: string | undefined } = {},
  secrets: NodeJS.ProcessEnv = {},
): DeploymentFolder {
  if (stage === undefined) return openDeployment({ ...secrets, DEPLOYMENT_DIR })
  if (DEPLOYMENT_DIR)
    throw new UsageError('--stage and DEPLOYMENT_DIR both name a deployment: use only one of them')
  if (!NAME.test(stage))
    throw new UsageError(
      '--stage must be up to 21 lowercase letters, digits and hyphens, and start with a letter',
    )
  return openDeployment(secrets, stage)
}

/**
 * Returns the environment of a script that works on a database. --stage adds the stage's DATABASE_URL
 * and settings.
 * @throws UsageError; Error if the stage has no deployment, or DATABASE_URL names another database
 */
export function environmentOf(
  env: NodeJS.ProcessEnv,
  options: { stage?: string | undefined },
): NodeJS.ProcessEnv {
  if (options.stage === undefined) return env
  const folder = folderOf(env, options)
  folder.deployment()
  const { DATABASE_URL, SOLANA_RPC_URL } = (folder.read(SECRETS) ?? {}) as Record<string, string>
  if (!DATABASE_URL)
    throw new Error(`${folder.path(SECRETS)} has no DATABASE_URL: run npm run setup, which writes it`)
  if (env.DATABASE_URL && env.DATABASE_URL !== DATABASE_URL)
    throw new Error(
      'DATABASE_URL is not the database of --stage: unset it, or set DEPLOYMENT_DIR instead of --stage',
    )
  return { ...(SOLANA_RPC_URL && { SOLANA_RPC_URL }), ...env, DEPLOYMENT_DIR: folder.folder, DATABASE_URL }
}
