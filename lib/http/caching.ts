import type { MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { sha256Hex } from '../keys/digest.ts'
import { textOf } from './json.ts'

const conditional = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'cdn-cache-control', 'link'] })

/**
 * For a public read: the answer carries an ETag and may be stored but not used unasked (`no-cache`), so a
 * client reads its own writes and an unchanged answer costs a 304 without a body.
 */
export const publicRead: MiddlewareHandler = (c, next) =>
  conditional(c, async () => {
    await next()
    const { res } = c
    if (!res.ok) return
    if (!res.headers.has('cache-control')) res.headers.set('cache-control', 'no-cache')
    const text = textOf(res)
    // Of any other answer, a file's, the library reads the body a second time.
    if (text !== undefined) res.headers.set('etag', `"${await sha256Hex(text)}"`)
  })
