import { logError } from './log.ts'

/** As many messages as a queue takes in one call. */
export const MAX_MESSAGES_PER_CALL = 100

/**
 * Sends messages on a queue after the answer, at most once. For nudges only, which say that work waits that a
 * round would find, too.
 * @param name the queue's name in the log
 * @param lost what to do, beside logging it, when messages were not sent
 */
export function sendBestEffort<Message>(
  { name, queue, background, lost }: QueueOfRequest<Message>,
  messages: Message[],
): void {
  for (let i = 0; i < messages.length; i += MAX_MESSAGES_PER_CALL) {
    const some = messages.slice(i, i + MAX_MESSAGES_PER_CALL).map((body) => ({ body }))
    const failed = () => {
      logError({ queue: name, reason: 'not sent' })
      lost?.()
    }
    background(queue.sendBatch(some).catch(failed))
  }
}

/** A queue, and how work outlives the answer of the request that sends to it. */
type QueueOfRequest<Message> = {
  name: string
  queue: Queue<Message>
  background: (work: Promise<unknown>) => void
  lost?: () => void
}
