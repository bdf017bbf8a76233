import type { RecordListParams } from 'cloudflare/resources/dns/records'
import type { DomainListParams } from 'cloudflare/resources/workers/domains'
import type { ZoneListParams } from 'cloudflare/resources/zones/zones'
import { count, query, text } from '../published.ts'
import { idOf, notFound, type Route, route } from './state.ts'

/** Removes what has the id of its name. @returns the id */
function removed(things: Map<string, string>, id = ''): string {
  const name = [...things.keys()].find((one) => idOf(one) === id)
  if (name === undefined) throw notFound(id)
  things.delete(name)
  return id
}

const pages = { page: count, per_page: count }

/** Zones and their DNS records, Workers' routes and custom domains. */
export const zoneRoutes: Route[] = [
  route({
    method: 'GET',
    path: '//zones',
    scope: 'Zone:Read',
    query: query<ZoneListParams>({ ...pages, name: text, 'account.id': text }),
    handle: ({ zones }, { query }) =>
      zones.filter(({ name }) => !query.has('name') || query.get('name') === name),
  }),
  route({
    method: 'GET',
    path: '//zones/{zone_id}',
    scope: 'Zone:Read',
    handle: ({ zones }, _call, id) => zones.find((zone) => zone.id === id),
  }),
  route({
    method: 'GET',
    path: '//zones/{zone_id}/dns_records',
    scope: 'DNS:Read',
    query: query<RecordListParams>({ ...pages, 'name.exact': text }),
    handle: ({ records }) => [...records].map((name) => ({ id: idOf(name), name, type: 'A' })),
  }),
  route({
    method: 'GET',
    path: '//zones/{zone_id}/workers/routes',
    scope: 'Workers Routes:Read',
    handle: ({ routes }) =>
      [...routes].map(([pattern, name]) => ({ id: idOf(pattern), pattern, script: name })),
  }),
  route<{ pattern: string }[]>({
    method: 'PUT',
    path: '/workers/scripts/{script_name}/routes',
    scope: 'Workers Routes:Edit',
    isUnpublished: true,
    handle: ({ routes }, { body }, name = '') => {
      // As a comment of wrangler's says, it deletes the Worker's routes before.
      for (const [pattern, script] of routes) if (script === name) routes.delete(pattern)
      for (const { pattern } of body) routes.set(pattern, name)
      return [...routes].map(([pattern]) => ({ id: idOf(pattern), pattern, script: name }))
    },
  }),
  route({
    method: 'POST',
    path: '/workers/scripts/{script_name}/domains/changeset',
    scope: 'Workers Scripts:Edit',
    isUnpublished: true,
    handle: (_state, { body }) => ({ added: body, removed: [], updated: [], conflicting: [] }),
  }),
  route<{ origins: { hostname: string }[] }>({
    method: 'PUT',
    path: '/workers/scripts/{script_name}/domains/records',
    scope: 'Workers Scripts:Edit',
    isUnpublished: true,
    handle: ({ domains }, { body: { origins } }, name = '') => {
      for (const { hostname } of origins) domains.set(hostname, name)
      return []
    },
  }),
  route({
    method: 'GET',
    path: '/workers/domains',
    scope: 'Workers Scripts:Read',
    query: query<DomainListParams>({ hostname: text, service: text, zone_id: text }),
    handle: ({ domains }, { query }) =>
      [...domains].flatMap(([hostname, service]) =>
        !query.has('hostname') || hostname === query.get('hostname')
          ? [{ id: idOf(hostname), hostname, service }]
          : [],
      ),
  }),
  route({
    method: 'DELETE',
    path: '/workers/domains/{domain_id}',
    scope: 'Workers Scripts:Edit',
    handle: ({ domains }, _call, id) => ({ id: removed(domains, id) }),
  }),
  route({
    method: 'DELETE',
    path: '//zones/{zone_id}/workers/routes/{route_id}',
    scope: 'Workers Routes:Edit',
    handle: ({ routes }, _call, _zone, id) => ({ id: removed(routes, id) }),
  }),
]
