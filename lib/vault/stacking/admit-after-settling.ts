import type { VaultDeps } from '../deps.ts'
import { settleDue } from '../settlement/settle-due.ts'
import { yieldDayOf } from './admission.ts'

/**
 * Admits a stack. If the yield limits have no room, settles the reservations of all owners that can't land
 * any more, and tries once more.
 * @throws ApiError yield_settling, dependency_unavailable
 */
export async function admitAfterSettling<Answer extends { outcome: string }>(
  deps: VaultDeps,
  admit: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await admit()
  if (answer.outcome !== 'yield_limit') return answer
  return (await settleDue(deps, yieldDayOf(deps.now))) ? admit() : answer
}
