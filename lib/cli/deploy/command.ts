import type { DeploymentFolder } from './deployment.ts'
import type { Source } from './source.ts'

/** What a command works on a deployment with. */
export type Command = {
  folder: DeploymentFolder
  /** The whole environment: {@link takeEnvironment} has taken it out of the process. */
  env: NodeJS.ProcessEnv
  say: (line: string) => void
  /** What is deployed: this folder's code by default. */
  source?: Source
}
