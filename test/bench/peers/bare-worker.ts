import { neon } from '@neondatabase/serverless'

/**
 * The least that a Worker needs for a list: the driver, the same statement, JSON. No validation, limits, log
 * lines, ETag, view or errors.
 */
export default {
  async fetch(_request, env) {
    const sql = neon(env.DATABASE_URL, { disableWarningInBrowsers: true })
    return Response.json({ agents: await sql.query(env.QUERY, JSON.parse(env.PARAMS)) })
  },
} satisfies ExportedHandler<{ DATABASE_URL: string; QUERY: string; PARAMS: string }>
