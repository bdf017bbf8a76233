import fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { FastifyInput, PeerReady } from './inputs.ts'

/**
 * Fastify over pg, with the pool's default of ten connections, running the very statements that our Worker
 * sends. The writes check the session as ours do (jose) and validate the body by a JSON schema; answers are
 * rows as Postgres names them.
 */
const input: FastifyInput = JSON.parse(process.argv[2] ?? '{}')
const pool = new pg.Pool({ connectionString: input.databaseUrl })
const keys = createLocalJWKSet(JSON.parse(input.jwks))
const app = fastify()

app.get('/agents', async () => {
  const { rows } = await pool.query(input.list.query, input.list.params)
  return { agents: rows }
})

for (const { path, schema, statements } of input.writes) {
  app.post(path, schema ? { schema: { body: schema } } : {}, async (request, reply) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const { payload } = await jwtVerify(token, keys)
    const now = Date.now()
    const given: Record<string, unknown> = {
      id: uuidv7(),
      ...(request.body as object),
      ...(request.params as object),
      wallet: payload.sub,
      now: new Date(now).toISOString(),
    }
    const fill = (param: string | null) =>
      param?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(given[name])) ?? null
    const client = await pool.connect()
    try {
      await client.query('begin')
      let row: unknown
      for (const { query, params } of statements) row = (await client.query(query, params.map(fill))).rows[0]
      await client.query('commit')
      return reply.status(201).send(row)
    } finally {
      client.release()
    }
  })
}

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('disconnect', () => process.exit())
process.send?.({ origin: address } satisfies PeerReady)
