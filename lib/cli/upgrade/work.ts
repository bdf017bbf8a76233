import type { Command } from '../deploy/command.ts'
import type { Keep } from '../state/steer.ts'
import type { Pause } from './ask.ts'
import type { Versions } from './versions.ts'

/** What every part of an upgrade works with. */
export type Work = Required<Command> & {
  versions: Versions
  /** Writes the state down, so that another machine could go on from here. */
  keep: Keep
  timeoutMs: number
  pause: Pause
  isByPercentage: boolean
}
