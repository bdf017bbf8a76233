import { createServer } from 'node:http'

/**
 * A process that receives webhooks: it answers 204 at once and says, when asked, when each arrived, in
 * milliseconds since 1970 with fractions. What it never answers, since it is to a host whose name begins with
 * `dead-`, it only counts.
 */
export type ReceiverReady = { address: string }
export type Received = { arrivals: number[]; unanswered: number }

let arrivals: number[] = []
let unanswered = 0

const server = createServer((request, response) => {
  if (request.headers.host?.startsWith('dead-')) {
    unanswered += 1
    return
  }
  request.resume().on('end', () => {
    if (request.headers['webhook-id']) arrivals.push(performance.timeOrigin + performance.now())
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({ address: `127.0.0.1:${port}` } satisfies ReceiverReady)
})

process.on('message', (question) => {
  process.send?.({ arrivals, unanswered } satisfies Received)
  if (!(question as { forget?: boolean }).forget) return
  arrivals = []
  unanswered = 0
})
process.on('disconnect', () => process.exit())
