import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Miniflare grows the buffer of workerd's configuration by 4 KB, and copies its whole content each time. */
const SMALL_GROWTH = 'var MIN_SINGLE_SEGMENT_GROWTH = 4096;'
/** All Workers' scripts are 6 MB. Unused memory is never touched. */
const LARGE_GROWTH = `var MIN_SINGLE_SEGMENT_GROWTH = ${2 ** 25};`
/** Marks a patched Miniflare in the cache of modules. */
const MARK = ';module.exports.hasLargeGrowth = true;'

/**
 * Returns Miniflare's text with the larger growth.
 * @throws Error unless the text has the constant exactly once: another version may have another text
 */
export function withLargeGrowth(text: string): string {
  if (text.split(SMALL_GROWTH).length === 2) return text.replace(SMALL_GROWTH, LARGE_GROWTH)
  throw new Error(
    `miniflare/dist/src/index.js must have "${SMALL_GROWTH}" exactly once, but its version has changed. Fix the constant in lib/tools/miniflare.ts, or remove the patch there if Miniflare now grows faster.`,
  )
}

/**
 * Miniflare, loaded once for a process. Import it from here only: loaded earlier by another path it is not
 * patched.
 * - By require, since an import would parse its 6 MB twice, once to learn that they are CommonJS.
 * - Without this machine's certificates, since it would copy all scripts for each one. They are not needed:
 *   workerd's requests all end here.
 * - With a larger growth of its buffer, which halves the start time of all Workers.
 */
const miniflare: typeof import('miniflare') = load()
export const convertV4MiniflareOptions = miniflare.convertV4MiniflareOptions
export const HttpOptions_Style = miniflare.HttpOptions_Style
export const Miniflare = miniflare.Miniflare
export type Miniflare = import('miniflare').Miniflare

function load() {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  delete process.env.NODE_EXTRA_CA_CERTS
  const require = createRequire(import.meta.url)
  const path = require.resolve('miniflare')
  // Not the path: a URL encodes spaces and letters outside ASCII.
  const { href } = pathToFileURL(path)
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== href || !loaded.source) return loaded
      return { ...loaded, source: withLargeGrowth(String(loaded.source)) + MARK }
    },
  })
  try {
    const loaded = require(path)
    if (!loaded.hasLargeGrowth)
      throw new Error('Miniflare was already loaded: import it only from lib/tools/miniflare.ts')
    return loaded
  } finally {
    hooks.deregister()
    if (certificates !== undefined) process.env.NODE_EXTRA_CA_CERTS = certificates
  }
}
