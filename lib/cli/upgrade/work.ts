import type { Command } from '../deploy/command.ts'
import type { Former } from '../deploy/former.ts'
import type { Keep } from '../state/steer.ts'
import type { Pause } from './ask.ts'
import type { Versions } from './versions.ts'

/** The arguments of every part of an upgrade. */
export type Work = Required<Command> & {
  versions: Versions
  timeoutMs: number
  pause: Pause
  clock: () => Date
  /** Finds the code of the release to go back to. */
  former: Former
  isByPercentage: boolean
  /** Writes the deployment's state to its database. */
  keep: Keep
}
