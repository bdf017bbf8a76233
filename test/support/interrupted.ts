import { neonConfig } from '@neondatabase/serverless'
import { expect } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import { connectThrough, serveNeon } from '../../lib/local/neon/server.ts'
import type { Service } from './service.ts'

/**
 * Does the same work again and again. Each time it is cut off one answer of the database later than before:
 * that answer is lost, though its statement was run.
 * @param work returns whether it is done
 * @returns how often it was cut off before it ended
 */
export async function interrupted(
  { database }: Pick<Service, 'database'>,
  work: (db: Db) => Promise<boolean>,
): Promise<number> {
  let left = 0
  const answer = async (request: Request) => {
    const answered = left > 0 ? await database.handler(request) : undefined
    left -= 1
    if (left === 0) await answered?.text()
    return left > 0 && answered ? answered : new Response(null, { status: 503 })
  }
  const { fetchEndpoint } = neonConfig
  const server = await serveNeon(answer, 0)
  const db = connectThrough(server.url)
  try {
    for (let cuts = 0; ; cuts += 1) {
      left = cuts + 2
      try {
        if (await work(db)) return cuts
      } catch (error) {
        expect(left, String(error)).toBeLessThanOrEqual(0)
      }
    }
  } finally {
    await server.close()
    Object.assign(neonConfig, { fetchEndpoint })
  }
}
