/**
 * The Link header (RFC 8288) to the next page of a list: the same request from the next place on, which the client gives
 * in `parameter`.
 */
export function nextPageLink(
  requestUrl: string,
  place: string | undefined,
  parameter: 'cursor' | 'after' = 'cursor',
): Record<string, string> {
  if (place === undefined) return {}
  const url = new URL(requestUrl)
  url.searchParams.set(parameter, place)
  return { link: `<${url}>; rel="next"` }
}
