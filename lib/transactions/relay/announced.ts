import type { Announce } from '../../clock/wake.ts'
import { firstLook } from '../confirmation/looks.ts'

type AnnounceDeps = { announce: Announce; clock(): Date }

/** Says when what was signed is due, before it is sent. @throws Refusal dependency_unavailable */
export const announceSigned = ({ announce, clock }: AnnounceDeps): Promise<void> =>
  announce('settlement', firstLook(clock()))

/**
 * Records what is signed, and announces it then. A round in between would not see what is not recorded yet,
 * and its answer takes the place of what was announced before.
 * @throws Refusal dependency_unavailable, also where it was recorded; what the write throws
 */
export async function announcedAfter<T>(deps: AnnounceDeps, recording: () => Promise<T>): Promise<T> {
  const recorded = await recording()
  await announceSigned(deps)
  return recorded
}
