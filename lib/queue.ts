import { logError } from './log.ts'

/**
 * Sends a message on a queue after the answer, at most once: a failure is logged and nothing else. For nudges
 * only, which say that work waits that a cron would find, too.
 * @param name the queue's name in the log
 */
export const sendBestEffort = <Message>(
  { name, queue, background }: QueueOfRequest<Message>,
  message: Message,
): void => background(queue.send(message).catch(() => logError({ queue: name, reason: 'not sent' })))

/** A queue, and how work outlives the answer of the request that sends to it. */
type QueueOfRequest<Message> = {
  name: string
  queue: Queue<Message>
  background: (work: Promise<unknown>) => void
}
