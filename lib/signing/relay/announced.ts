import type { Announce } from '../../clock/wake.ts'
import { firstLook } from './looks.ts'

type AnnounceDeps = { announce: Announce; clock(): Date }

/** Says when what was signed is due, before it is sent. @throws Refusal dependency_unavailable */
export const announceSigned = ({ announce, clock }: AnnounceDeps): Promise<void> =>
  announce('settlement', firstLook(clock()))

/**
 * Announces what is signed beside the write that records it: nothing waits for both one after the other,
 * unless the write took so long that a round may have looked for it in vain.
 * @throws Refusal dependency_unavailable, also where it was recorded; what the write throws
 */
export async function announcedBeside<T>(deps: AnnounceDeps, recording: () => Promise<T>): Promise<T> {
  const lookAt = firstLook(deps.clock())
  const [recorded] = await Promise.all([recording(), deps.announce('settlement', lookAt)])
  if (deps.clock() >= lookAt) await announceSigned(deps)
  return recorded
}
