import { createServer, type IncomingMessage, type Server } from 'node:http'
import { answerChallenge, verifyWebhook, WebhookRefused, type WebhookTrust } from '../client/index.ts'
import { forThisMachine } from '../local/loopback.ts'

const MAX_BODY_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 10_000

/** How to verify, and the functions to call for each request. */
type EndpointOptions = {
  trust: WebhookTrust
  /** The wallet whose events to accept; by default any. */
  wallet?: string | undefined
  /** How much a timestamp may differ; Infinity for a sender whose clock was moved. */
  toleranceSeconds?: number
  /** Unix milliseconds. */
  now?: () => number
  /** Called once for each event, with its original JSON. */
  received: (event: string) => void
  /** Called with the id of an event that arrived again. */
  repeated: (id: string) => void
  /** Called with the reason why a request was refused. */
  refused: (reason: string) => void
}

type Reply = { status: number; body?: string; reason?: string }

/**
 * Makes a server for webhooks, which does not listen yet. It answers 204 to verified webhooks, and a proof to
 * a request for one; else 401, 405 or 413 with the reason as text. It answers 403 to requests from other
 * hosts and their pages: a tunnel must send `Host: localhost`.
 */
export function createWebhookEndpoint(options: EndpointOptions): Server {
  // In memory only. A real receiver stores the ids in the transaction that acts on the events.
  const known = new Set<string>()
  const reply = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method !== 'POST') return { status: 405, reason: 'webhooks are sent with POST' }
    const body = await readBody(request)
    if (!body) return { status: 413, reason: 'the body is larger than 64 KiB' }
    try {
      const { trust, toleranceSeconds, now = Date.now } = options
      const webhook = { headers: request.headers, body }
      const verified = await verifyWebhook(webhook, trust, { toleranceSeconds, now: now() })
      const proof = await answerChallenge(verified, options.wallet)
      if (proof !== undefined) return { status: 200, body: proof }
      const { id } = verified
      if (known.has(id)) options.repeated(id)
      else options.received(body.toString())
      known.add(id)
      return { status: 204 }
    } catch (error) {
      if (error instanceof WebhookRefused) return { status: 401, reason: error.message }
      throw error
    }
  }
  const listener = forThisMachine((request, response) => {
    reply(request).then(
      ({ status, body, reason }) => {
        if (reason !== undefined) options.refused(reason)
        response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end(body ?? reason)
      },
      // The request was aborted, or our own code failed: without an answer the service sends it again.
      () => response.destroy(),
    )
  })
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, listener)
}

/**
 * Reads the whole body. A too large one is read to its end, so that the sender gets the answer, and
 * undefined.
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
