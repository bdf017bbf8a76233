import { neon } from '@neondatabase/serverless'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import { createLocalJWKSet, importJWK, jwtVerify, SignJWT } from 'jose'

/**
 * Our libraries in a Worker without our code: Hono, jose, the Neon driver and Drizzle, each used once so that
 * the bundler keeps it.
 */
type Env = { DATABASE_URL: string; SESSION_JWKS: string; SESSION_SIGNING_KEY: string }

const notes = pgTable('notes', { id: text().primaryKey(), body: text().notNull() })
const app = new Hono<{ Bindings: Env }>()

app.get('/notes/:id', async (c) => {
  const keys = createLocalJWKSet(JSON.parse(c.env.SESSION_JWKS))
  await jwtVerify(c.req.header('authorization') ?? '', keys)
  const db = drizzle({ client: neon(c.env.DATABASE_URL) })
  return c.json(
    await db
      .select()
      .from(notes)
      .where(eq(notes.id, c.req.param('id'))),
  )
})

app.post('/tokens', async (c) => {
  const key = await importJWK(JSON.parse(c.env.SESSION_SIGNING_KEY), 'EdDSA')
  return c.text(await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(key))
})

export default app
