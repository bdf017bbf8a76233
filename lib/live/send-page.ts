import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import type { Db, SessionClaim } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import { eventListText } from '../events/views.ts'
import { logError } from '../runtime/log.ts'
import { readLog } from './queries.ts'
import { isFull, withSent } from './socket-state.ts'
import { CLOSED, close, type Open, REVOKED, send, stateOf } from './sockets.ts'

/** The most events in one message. */
const EVENTS_PER_MESSAGE = 100

/** Represents a page that could not be read. */
const FAILED = 'failed'

/**
 * Reads one page for sockets with the same session and the same last event, and sends it to them.
 * @param dbOf returns the database with a session's rights
 * @returns whether the log hides an event, and whether it has more for these sockets
 */
export async function sendPage(
  dbOf: (session: SessionClaim) => Db,
  group: Open[],
): Promise<{ hasHidden: boolean; hasMore: boolean }> {
  const [[, { wallet, epoch, last }]] = group as [Open]
  const isNew = group.some(([, state]) => state.isNew)
  const closeAll = (code: number, reason: string) => {
    for (const [socket] of group) close(socket, code, reason)
    return { hasHidden: false, hasMore: false }
  }
  const limit = EVENTS_PER_MESSAGE + 1
  const page = await readLog(dbOf({ wallet, epoch }), wallet, { after: last, isNew, limit }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'session_revoked') return undefined
      logError({ job: 'live', reason: reasonOf(error) })
      return FAILED
    },
  )
  if (page === undefined) return closeAll(CLOSED.ended, REVOKED)
  if (page === FAILED) return { hasHidden: true, hasMore: false }
  if (page.lost) return closeAll(CLOSED.cursorLost, `continue after ${page.lost.oldest ?? 'the start'}`)
  const { rows: events, last: newest, hasMore } = pageOf(page.events, EVENTS_PER_MESSAGE)
  const text = eventListText({ events, hasMore })
  for (const [socket] of group) {
    // It may have acknowledged messages meanwhile.
    const before = stateOf(socket)
    const state = newest && send(socket, text) ? withSent(before, newest.id, text.length) : before
    socket.serializeAttachment({ ...state, isNew: false, isBehind: hasMore && isFull(state) })
  }
  return { hasHidden: page.hasHidden, hasMore }
}
