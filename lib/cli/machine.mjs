/*
 * Runs before every script of package.json, in JavaScript that old versions of Node can read. It reports in one
 * sentence what an installation without install scripts lacks, and keeps requests to this machine off proxies.
 */

/** The first version of Node that reads TypeScript and has the hooks of loading.ts. */
const NODE = 24

if (Number.parseInt(process.versions.node, 10) < NODE) {
  console.error(
    `Node ${NODE} is missing (this is ${process.versions.node}): the package "node" brings it by an install script, so run npm ci without --ignore-scripts.`,
  )
  process.exit(1)
}

const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env
if (HTTP_PROXY || HTTPS_PROXY || http_proxy || https_proxy) {
  // Node (NODE_USE_ENV_PROXY), wrangler and our processes read these for each request. The first one wins.
  const name = process.env.no_proxy === undefined ? 'NO_PROXY' : 'no_proxy'
  const hosts = (process.env[name] ?? '').split(/[\s,]+/).filter((host) => host !== '')
  if (!hosts.includes('*')) process.env[name] = [...new Set([...hosts, 'localhost', '127.0.0.1'])].join(',')
}
