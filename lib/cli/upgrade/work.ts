import type { Command } from '../deploy/command.ts'
import type { Pause } from './ask.ts'
import type { Versions } from './versions.ts'

/** What every part of an upgrade works with. */
export type Work = Required<Command> & {
  versions: Versions
  timeoutMs: number
  pause: Pause
  isByPercentage: boolean
}
