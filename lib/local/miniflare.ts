import { createRequire, registerHooks } from 'node:module'

/** How Miniflare grows the buffer of workerd's configuration: by 4 KB, with a copy of all that is in it. */
const SMALL_GROWTH = 'var MIN_SINGLE_SEGMENT_GROWTH = 4096;'
/** All Workers' scripts are 6 MB. What is not used of it is never touched. */
const LARGE_GROWTH = `var MIN_SINGLE_SEGMENT_GROWTH = ${2 ** 25};`

/**
 * Loads Miniflare. By require, since an import would parse its 6 MB twice, once to learn that they are
 * CommonJS; without this machine's certificates, for each of which it would copy all scripts once more:
 * workerd's requests all end here; and with a larger growth of its buffer, by which all Workers start in half
 * the time.
 */
export function loadMiniflare(): typeof import('miniflare') {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  delete process.env.NODE_EXTRA_CA_CERTS
  const require = createRequire(import.meta.url)
  const path = require.resolve('miniflare')
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(path) || !loaded.source) return loaded
      return { ...loaded, source: String(loaded.source).replace(SMALL_GROWTH, LARGE_GROWTH) }
    },
  })
  try {
    return require(path)
  } finally {
    hooks.deregister()
    if (certificates !== undefined) process.env.NODE_EXTRA_CA_CERTS = certificates
  }
}
