import type { Agent, RequestPrice, X402Accepts } from '../../../client/generated/types.ts'
import { priceWords } from './price-draft.ts'

/** Installs the packages of the server. */
export const INSTALL =
  'npm install hono @hono/node-server @x402/core@2 @x402/extensions@2 @x402/hono@2 @x402/svm@2'

/** Starts it, with the key in the file .env beside it. */
export const START = 'node --env-file=.env server.mjs'

/** The variable that has the URL with the selling key. */
export const VARIABLE = 'FACILITATOR_URL'

const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) (\/[\w\-.~/:*]*)$/

/** Returns whether a price's name is a method and a path that the copied server can serve. */
export const isRoute = (name: string): boolean => ROUTE.test(name.trim())

/** Returns the route of a price: its name if that is a method and a path, else GET and a similar path. */
export function routeOf(name: string): { method: string; path: string } {
  const [, method = 'GET', path] = ROUTE.exec(name) ?? []
  return { method, path: path ?? `/${slugOf(name)}` }
}

/** Matches a URL of this machine, and its port. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(\d{1,5}))?(?:[/?#]|$)/i

/** Returns the port of an API on this machine. Any other API gets the port that its host sets, or 3000. */
export function portOf(apiEndpoint: string | undefined): number {
  const local = LOCAL.exec(apiEndpoint ?? '')
  return local ? Number(local[1] ?? 80) : 3000
}

/** The methods whose requests have a body. */
const BODY = /^(POST|PUT|PATCH)$/

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

/** Longer lines are broken, so that nobody scrolls to read them. */
const WIDTH = 90

/** Writes a value of JSON as JavaScript, in single quotes. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${literal(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const line = `${open} ${parts.join(', ')} ${close}`
  if (indent.length + line.length <= WIDTH) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

const nameOf = (name: string): string => (/^[a-z]\w*$/i.test(name) ? name : `[${literal(name)}]`)

/**
 * Writes a server that sells one route, of published packages as they are. It reads the key from the
 * environment, so the text has no secret.
 * @param accepts of this price, from GET /x402/agents/{id}
 * @param mint CRED's
 * @param agent its description is the route's in the catalog; an endpoint on this machine sets the port
 */
export function serverText(
  price: RequestPrice,
  accepts: X402Accepts,
  mint: string,
  { name, description = name, apiEndpoint }: Pick<Agent, 'name' | 'description' | 'apiEndpoint'>,
): string {
  const { method, path } = routeOf(price.name)
  return `// server.mjs sells ${method} ${path} for ${priceWords(price, mint)} a request.
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddleware } from '@x402/hono'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { Hono } from 'hono'

const { ${VARIABLE}: url, PORT = ${portOf(apiEndpoint)} } = process.env
if (!url) throw new Error('Set ${VARIABLE} to the URL with your selling key.')
const accepts = ${literal(accepts)}
const facilitator = new HTTPFacilitatorClient({ url })
const server = new x402ResourceServer(facilitator).register('solana:*', new ExactSvmScheme())
const description = ${literal(description)}
const answer = 'Your paid work goes here.'
const extensions = declareDiscoveryExtension({ ${BODY.test(method) ? "bodyType: 'json', " : ''}output: { example: { answer } } })
const app = new Hono()
app.use(paymentMiddleware({ '${method} ${path}': { accepts, description, extensions } }, server))
// Do the paid work here. To pass the request on to an API that runs elsewhere, import { proxy }
// from 'hono/proxy', and answer (c) => proxy('http://localhost:4000${path}', c.req)
app.${method.toLowerCase()}('${path}', (c) => c.json({ answer }))
serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => {
  console.log(\`Selling at http://localhost:\${port}${path}\`)
})
`
}
