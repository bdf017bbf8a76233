import { logError } from './log.ts'

/** As many messages as a queue takes in one call. */
export const MAX_MESSAGES_PER_CALL = 100

/**
 * Sends messages on a queue after the answer, at most once: a failure is logged. For nudges only, which say
 * that work waits that a round would find, too.
 * @param name the queue's name in the log
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

/** A queue, and how work outlives the answer of the request that sends to it. */
type QueueOfRequest<Message> = {
  name: string
  queue: Queue<Message>
  background: (work: Promise<unknown>) => void
  /** Told when messages could not be sent. */
  onLost?: (() => void) | undefined
}
