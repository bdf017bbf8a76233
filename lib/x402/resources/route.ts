import { isWebhookUrl } from '../../../schema/webhook-url.ts'

/** The route that a price is named after, at the origin of its agent's endpoint. */
export type Route = { method: RouteMethod; path: string; url: string }

export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const NAME = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[^\s?#]*)$/

/** The path of the facilitator, whose next part is an agent's key. No listing may contain it. */
export const KEY_PATH = '/x402/k/'

/** The origin of a URL as its owner wrote it, like `price_url` of schema/functions. */
const ORIGIN = /^https?:\/\/[^/?#]+/i

/**
 * Reads a price's name, such as `GET /forecast/:city`, as a route at the origin of an agent's endpoint. The
 * path is used literally, so it must be one that URLs leave as it is, without a query.
 * @returns `no_endpoint` if there is no endpoint that the service may send requests to
 */
export function routeOf(
  name: string | undefined,
  apiEndpoint: string | null,
): Route | 'price_not_a_route' | 'no_endpoint' {
  const [, method, path] = NAME.exec(name ?? '') ?? []
  if (method === undefined || path === undefined || path.includes(KEY_PATH)) return 'price_not_a_route'
  const origin = ORIGIN.exec(apiEndpoint ?? '')?.[0]
    .toLowerCase()
    .replace(/^(https:.*):443$/, '$1')
  if (origin === undefined) return 'no_endpoint'
  const url = origin + path
  if (URL.parse(url)?.pathname !== path) return 'price_not_a_route'
  return isWebhookUrl(url) ? { method: method as RouteMethod, path, url } : 'no_endpoint'
}

/** Returns whether a price's name is a method and a path, so that it is a route. */
export const isRouteName = (name: string): boolean =>
  routeOf(name, 'https://host.example') !== 'price_not_a_route'

/** Returns whether a path is one of a route's, whose parts such as `:city`, `[city]` or `*` stand for any. */
export function isOnRoute(path: string, template: string): boolean {
  const parts = partsOf(path)
  const expected = partsOf(template)
  return (
    parts.length === expected.length &&
    expected.every((part, index) => part === parts[index] || (isParameter(part) && parts[index] !== ''))
  )
}

const partsOf = (path: string) => path.replace(/(?<=.)\/$/, '').split('/')

const isParameter = (part: string) => part === '*' || /^(:.+|\[.+\])$/.test(part)
