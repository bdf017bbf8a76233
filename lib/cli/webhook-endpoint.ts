import type { KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { verifyWebhook, WebhookRefused } from './verify-webhook.ts'

const MAX_BODY_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 10_000

/** What an endpoint is told. */
type EndpointOptions = {
  keys: readonly KeyObject[]
  /** Unix milliseconds; undefined where the sender's clock is another. */
  now: () => number | undefined
  /** Hears of each event once, its JSON as it was sent. */
  received: (event: string) => void
  /** Hears the id of an event that came once more. */
  repeated: (id: string) => void
  /** Hears why a request was refused. */
  refused: (reason: string) => void
}

type Reply = { status: number; reason?: string }

/**
 * An endpoint for webhooks, not listening yet: 204 for what is verified, else 401, 405 or 413 and the reason
 * as text.
 */
export function createWebhookEndpoint(options: EndpointOptions): Server {
  // It forgets them when it ends. What acts on events keeps their ids with what it did, in one transaction.
  const known = new Set<string>()
  const reply = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method !== 'POST') return { status: 405, reason: 'webhooks are sent by POST' }
    const body = await readBody(request)
    if (!body) return { status: 413, reason: 'the body is larger than 64 KiB' }
    try {
      const id = verifyWebhook(request.headers, body, options.keys, options.now())
      if (known.has(id)) options.repeated(id)
      else options.received(body.toString())
      known.add(id)
      return { status: 204 }
    } catch (error) {
      if (error instanceof WebhookRefused) return { status: 401, reason: error.message }
      throw error
    }
  }
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    reply(request).then(
      ({ status, reason }) => {
        if (reason !== undefined) options.refused(reason)
        response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end(reason)
      },
      // Cut off in the middle, or a failure of our own: unanswered, it is sent again.
      () => response.destroy(),
    )
  })
}

/**
 * The whole body; undefined when it is too large. That is read to its end, too, so that the answer is heard.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return length <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined
}
