import type { DeploymentFolder } from './deployment.ts'
import type { Source } from './source.ts'

/** The arguments of every command that works on a deployment. */
export type Command = {
  folder: DeploymentFolder
  /** The whole environment; {@link takeEnvironment} removed it from the process. */
  env: NodeJS.ProcessEnv
  say: (line: string) => void
  /** The code to deploy; this folder's by default. */
  source?: Source
}
