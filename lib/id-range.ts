/** Returns the lowest UUIDv7 of a moment; of 1970 for an earlier one. */
export function firstIdOf(ms: number): string {
  const time = Math.max(ms, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** Not below any id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Returns the ids of a page of a list, newest first: from `firstId` on, and before `beforeId`. The entries'
 * ids are UUIDv7 of the time that they were recorded at.
 * @param since the first time
 * @param until the time after the last
 * @param beforeId the last id of the page before
 */
export function idRange({
  since,
  until,
  beforeId = LAST_ID,
}: {
  since?: Date | undefined
  until?: Date | undefined
  beforeId?: string | undefined
}): { firstId: string; beforeId: string } {
  const endId = until === undefined ? LAST_ID : firstIdOf(until.getTime())
  return { firstId: firstIdOf(since?.getTime() ?? 0), beforeId: endId < beforeId ? endId : beforeId }
}
