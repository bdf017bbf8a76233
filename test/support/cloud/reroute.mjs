/**
 * Loaded by `node --import` before a script: its requests to the service's public address go to a server of the
 * test's. In JavaScript, since npm's own Node may be older than ours.
 */
const send = globalThis.fetch
const to = process.env.REROUTE_TO ?? ''
globalThis.fetch = (url, init) => {
  const [found, host = ''] =
    (typeof url === 'string' && /^https:\/\/([\w.-]+\.(?:workers\.dev|acme\.test))(?=\/)/.exec(url)) || []
  if (!found) return send(url, init)
  return send(url.replace(found, to), { ...init, headers: { ...init?.headers, 'x-public-host': host } })
}
