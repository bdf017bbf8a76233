import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers a Worker's outgoing request, or returns undefined if another handler must answer it. */
export type Outbound = (request: Request) => Promise<Response> | undefined

/** The address to which workerd sends the Workers' requests, as to a proxy, with this header. */
export type OutboundServer = {
  address: string
  header: { name: string; value: string }
  /** Also ends running requests. */
  close(): Promise<void>
}

/**
 * The header with a secret: without it no program on this machine reaches the database and other handlers.
 */
const SECRET_HEADER = 'x-local-outbound'

/** Serves the Workers' outgoing requests on a free port of 127.0.0.1, for workerd only. */
export async function serveOutbound(outbound: Outbound): Promise<OutboundServer> {
  const secret = randomUUID()
  // To a proxy workerd sends the whole URL, and no header for its host.
  const server = createServer({ requireHostHeader: false }, async (incoming, outgoing) => {
    if (incoming.headers[SECRET_HEADER] !== secret) {
      outgoing.writeHead(403).end()
      return
    }
    await answer(incoming, outbound)
      .catch((error) => new Response(String(error), { status: 500 }))
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy())
  })
  // workerd ends idle connections. By the server's own limit one could end just as a request is sent on it.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    header: { name: SECRET_HEADER, value: secret },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Headers of one connection or for this server. A handler that forwards the request must not send them. */
const OWN_HEADERS = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', SECRET_HEADER]

async function answer(incoming: IncomingMessage, outbound: Outbound): Promise<Response> {
  const { url = '', method = 'GET', rawHeaders } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!OWN_HEADERS.includes(name.toLowerCase())) headers.append(name, value)
  }
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks)
  const request = new Request(url, { method, headers, redirect: 'manual', ...(body && { body }) })
  return (
    (await outbound(request)) ??
    new Response('The local platform does not let Workers reach this host.', { status: 502 })
  )
}

async function send({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  // fetch has unpacked the body of an answer from outside.
  const isUnpacked = headers.has('content-encoding')
  const forwarded = [...headers].filter(
    ([name]) => !(isUnpacked && ['content-encoding', 'content-length'].includes(name)),
  )
  outgoing.writeHead(status, forwarded.flat())
  for await (const chunk of body ?? []) {
    if (outgoing.destroyed) return
    if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')])
  }
  outgoing.end()
}
