import { logError } from './log.ts'

/** The most messages that a queue takes in one call. */
export const MAX_MESSAGES_PER_CALL = 100

/**
 * Sends messages on a queue after the answer, at most once, and logs a failure. Use it only for hints: the
 * next job run must find the same work without them.
 */
export function sendBestEffort<Message>(
  { name, queue, background, onLost }: QueueOfRequest<Message>,
  messages: Message[],
): void {
  for (let i = 0; i < messages.length; i += MAX_MESSAGES_PER_CALL) {
    const some = messages.slice(i, i + MAX_MESSAGES_PER_CALL).map((body) => ({ body }))
    const lost = () => {
      logError({ queue: name, reason: 'not sent' })
      onLost?.()
    }
    background(queue.sendBatch(some).catch(lost))
  }
}

/** A queue, its name in the log, and `waitUntil` of the request. */
type QueueOfRequest<Message> = {
  name: string
  queue: Queue<Message>
  background: (work: Promise<unknown>) => void
  /** Called when messages could not be sent. */
  onLost?: (() => void) | undefined
}
