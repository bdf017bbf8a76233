import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { Transform } from 'node:stream'
import { createClock } from '../../lib/local/clock.ts'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { openEmbeddedSolana } from '../../lib/local/solana.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'

/**
 * The process beside the Workers: what on Cloudflare is somebody else's machine. It answers Neon's SQL over
 * HTTP from the real Postgres, Solana's JSON-RPC from the embedded chain, KV and queues. Its CPU time is
 * nobody's here.
 */

export type NeighboursInput = {
  databaseUrl: string
  /** Also serves the database behind ports where each way takes half of this. */
  delayMs?: number
  hasChain?: boolean
}

export type NeighboursReady = {
  /** host:port that answers SQL and JSON-RPC by the request's host; JSON-RPC also at /rpc. */
  outside: string
  /** The same, and Postgres itself, `delayMs` away. */
  delayedOutside?: string
  delayedPostgres?: string
  kv: string
  queue: string
  vaultSettings: Record<string, string>
}

/** What the Workers asked for since the last count. */
export type Counts = {
  sql: number
  rpc: number
  kvReads: number
  kvWrites: number
  queue: number
  /** Bytes of SQL requests and of their answers. */
  sqlBytesOut: number
  sqlBytesIn: number
  /** The statements of the last request, as they were sent. */
  statements: SentStatement[]
}

export type SentStatement = { query: string; params: (string | null)[] }

const none = (): Counts => ({
  sql: 0,
  rpc: 0,
  kvReads: 0,
  kvWrites: 0,
  queue: 0,
  sqlBytesOut: 0,
  sqlBytesIn: 0,
  statements: [],
})
let counts = none()

const input: NeighboursInput = JSON.parse(process.argv[2] ?? '{}')
const answerSql = neonHandler(await openPostgres(input.databaseUrl))
const solana = input.hasChain ? await openEmbeddedSolana({ clock: createClock(), port: 0 }) : undefined

const outside = await listen(
  createServer(async (request, response) => {
    const body = await bodyOf(request)
    const isRpc = request.headers.host?.startsWith('rpc.') || request.url === '/rpc'
    const answer = isRpc ? await answerRpc(body) : await countedSql(request, body)
    const text = await answer.text()
    if (!isRpc) counts.sqlBytesIn += Buffer.byteLength(text)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }),
)

function countedSql(request: IncomingMessage, body: Buffer): Promise<Response> {
  counts.sql += 1
  counts.sqlBytesOut += body.length
  lastBody = body
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('neon-'))
  return answerSql(
    new Request('http://database/sql', {
      method: 'POST',
      headers: headers as [string, string][],
      body: new Uint8Array(body),
    }),
  )
}

/** Parsed when somebody asks for it. */
let lastBody: Buffer = Buffer.from('{}')

async function answerRpc(body: Buffer): Promise<Response> {
  counts.rpc += 1
  const request = new Request(solana?.bindings.SOLANA_RPC_URL ?? 'http://none/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array(body),
  })
  return (await solana?.outbound(request)) ?? new Response('{}', { status: 404 })
}

const values = new Map<string, Buffer>()
const kv = await listen(
  createServer(async (request, response) => {
    const key = request.url?.split('?')[0] ?? ''
    if (request.method === 'PUT') {
      counts.kvWrites += 1
      values.set(key, await bodyOf(request))
      response.end()
    } else {
      counts.kvReads += 1
      const value = values.get(key)
      response.writeHead(value ? 200 : 404).end(value)
    }
  }),
)

const queue = await listen(
  createServer(async (request, response) => {
    await bodyOf(request)
    counts.queue += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"metadata":{"metrics":{}}}')
  }),
)

const { delayMs } = input
const delayed =
  delayMs === undefined
    ? {}
    : {
        delayedOutside: await delayedPort(Number(outside.split(':')[1]), delayMs),
        delayedPostgres: await delayedPort(Number(new URL(input.databaseUrl).port), delayMs),
      }

process.on('message', () => {
  const sent: SentStatement & { queries?: SentStatement[] } = JSON.parse(lastBody.toString())
  process.send?.({ ...counts, statements: sent.queries ?? [sent] } satisfies Counts)
  counts = none()
})
// The benchmark's end is ours, however it came.
process.on('disconnect', () => process.exit())
const { SOLANA_RPC_URL: _, ...vaultSettings } = solana?.bindings ?? { SOLANA_RPC_URL: '' }
process.send?.({ outside, kv, queue, ...delayed, vaultSettings } satisfies NeighboursReady)

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Listens on a free loopback port and keeps idle connections; returns host:port. */
function listen(server: Server): Promise<string> {
  server.keepAliveTimeout = 600_000
  return listening(server)
}

function listening(server: TcpServer): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    })
  })
}

/** Opens a port that forwards to another one, with a delay of half the round trip each way. */
function delayedPort(port: number, roundTripMs: number): Promise<string> {
  const server = createTcpServer((near) => {
    const far = connect(port, '127.0.0.1').setNoDelay()
    near.setNoDelay()
    pass(near, far)
    pass(far, near)
  })
  const pass = (from: Socket, to: Socket) => {
    from.pipe(later(roundTripMs / 2)).pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
  return listening(server)
}

/** Hands on each chunk after a delay, without holding up the next one. */
const later = (ms: number) =>
  new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => this.push(chunk), ms)
      done()
    },
    flush: (done) => void setTimeout(done, ms + 1),
  })
