import * as v from 'valibot'
import { hostOf } from '../../../schema/urls.ts'
import type { DeclarationError } from './codes.ts'
import { isOnRoute, type Route, routeOf } from './route.ts'

const Declaring = v.object({ extensions: v.object({ bazaar: v.unknown() }) })
const Declaration = v.object({
  info: v.object({ input: v.object({ type: v.string(), method: v.optional(v.unknown()) }) }),
  routeTemplate: v.optional(v.unknown()),
})
const Resource = v.object({ resource: v.object({ url: v.string() }) })

/**
 * Compares the extension `bazaar` of a payment with the route of its price. A payer can rewrite all of it, so
 * nothing else of it is used: it can only prevent a listing, or ask for a probe of the owner's own route.
 * @param priceName the name of the payment's price, if there is no doubt about it
 * @returns undefined without the extension, `declared`, or why it lists nothing
 */
export function declarationOf(
  paymentPayload: unknown,
  priceName: string | undefined,
  apiEndpoint: string | null,
): 'declared' | 'price_not_a_route' | 'no_endpoint' | DeclarationError | undefined {
  if (!v.is(Declaring, paymentPayload)) return undefined
  const { bazaar } = paymentPayload.extensions
  if (bazaar === undefined) return undefined
  if (!v.is(Declaration, bazaar)) return 'malformed'
  const { type, method } = bazaar.info.input
  if (type === 'mcp') return 'mcp_not_listed'
  if (type !== 'http') return 'malformed'
  const route = routeOf(priceName, apiEndpoint)
  if (typeof route === 'string') return route
  const isOther =
    (method !== undefined && method !== route.method) ||
    (bazaar.routeTemplate !== undefined && !isTemplateOf(bazaar.routeTemplate, route)) ||
    (v.is(Resource, paymentPayload) && !isResourceOf(paymentPayload.resource.url, route))
  return isOther ? 'other_resource' : 'declared'
}

const isTemplateOf = (template: unknown, { path }: Route) =>
  typeof template === 'string' && isOnRoute(template, path)

/** A server behind a proxy may see its own URL with another scheme, so host and path count. */
function isResourceOf(text: string, { path, url }: Route): boolean {
  const resource = URL.parse(text)
  return resource !== null && hostOf(resource.href) === hostOf(url) && isOnRoute(resource.pathname, path)
}
