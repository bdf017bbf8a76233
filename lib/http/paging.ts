/**
 * Makes the Link header (RFC 8288) to the next page of a list: the same request with another cursor, which
 * the client gives in `parameter`. The last page has none.
 */
export function nextPageLink(
  requestUrl: string,
  cursor: string | undefined,
  parameter: 'cursor' | 'after' = 'cursor',
): Record<string, string> {
  if (cursor === undefined) return {}
  const url = new URL(requestUrl)
  url.searchParams.set(parameter, cursor)
  return { link: `<${url}>; rel="next"` }
}
