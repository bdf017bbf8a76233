import { createServer } from 'node:http'

/**
 * A process that receives webhooks: it answers 204 at once and says, when asked, when each arrived, in
 * milliseconds since 1970 with fractions. To hosts whose name begins with `dead-` it never answers, and what
 * they are sent is not counted.
 */
export type ReceiverReady = { address: string }
export type Received = { arrivals: number[] }

let arrivals: number[] = []

const server = createServer((request, response) => {
  if (request.headers.host?.startsWith('dead-')) return
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
  process.send?.({ arrivals } satisfies Received)
  if ((question as { forget?: boolean }).forget) arrivals = []
})
process.on('disconnect', () => process.exit())
