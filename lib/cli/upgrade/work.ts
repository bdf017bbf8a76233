import type { DeploymentFolder } from '../deploy/deployment.ts'
import type { Source } from '../deploy/source.ts'
import type { Pause } from './ask.ts'
import type { Versions } from './versions.ts'

/** What every part of an upgrade works with. */
export type Work = {
  folder: DeploymentFolder
  env: NodeJS.ProcessEnv
  versions: Versions
  source: Source
  timeoutMs: number
  pause: Pause
  say: (line: string) => void
}
