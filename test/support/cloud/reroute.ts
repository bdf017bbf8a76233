/**
 * Loaded by `node --import` before a script: its requests to the service's public address go to a server of
 * the test's.
 */
const send = globalThis.fetch
const to = process.env.REROUTE_TO
globalThis.fetch = ((url, init) => {
  const isPublic = typeof url === 'string' && /^https:\/\/[\w.-]+\.workers\.dev\//.test(url)
  return send(isPublic ? url.replace(/^https:\/\/[\w.-]+/, to ?? '') : url, init)
}) as typeof fetch

export {}
