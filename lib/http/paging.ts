/** The Link header (RFC 8288) to the next page of a list: the same request with the page's cursor. */
export function nextPageLink(requestUrl: string, nextCursor: string | undefined): Record<string, string> {
  if (nextCursor === undefined) return {}
  const url = new URL(requestUrl)
  url.searchParams.set('cursor', nextCursor)
  return { link: `<${url}>; rel="next"` }
}
