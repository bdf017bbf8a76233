import type { MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'

const conditional = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cdn-cache-control',
    'link',
    'x-request-id',
  ],
})

/**
 * For a public read: the answer carries an ETag and may be stored but not used unasked (`no-cache`), so a
 * client reads its own writes and an unchanged answer costs a 304 without a body.
 */
export const publicRead: MiddlewareHandler = (c, next) =>
  conditional(c, async () => {
    await next()
    if (c.res.ok && !c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-cache')
  })
