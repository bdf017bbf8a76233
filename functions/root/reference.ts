/** Lets the reference show itself and run its filter: no other script, nothing else loaded, no call. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/** Answers a file of the reference, under its policy. */
export async function referenceFile(assets: Fetcher, requestUrl: string, path: string): Promise<Response> {
  const file = await asset(assets, requestUrl, path)
  file.headers.set('content-security-policy', POLICY)
  return file
}

/** A built file, without the asset server's own cache headers. */
export async function asset(assets: Fetcher, requestUrl: string, path: string): Promise<Response> {
  const file = await assets.fetch(new URL(path, requestUrl))
  return new Response(file.body, {
    status: file.status,
    headers: { 'content-type': file.headers.get('content-type') ?? 'application/octet-stream' },
  })
}
