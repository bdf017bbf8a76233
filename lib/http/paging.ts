/**
 * Makes the Link header (RFC 8288) to the next page of a list: the same URL with another cursor in
 * `parameter`. The last page has no Link header.
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
