import type { PaymentRequirements } from '@x402/core/types'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { rowsOf } from './chain.ts'
import type { Body, Service } from './service.ts'
import { type PayableAgent, payableAgent } from './x402-service.ts'

/* Hosts whose routes are sold, and what is stored of them. */

type Sent = { method: string; url: string; body: string }
type Answerer = (request: Sent) => Response | Promise<Response>

/** Answers probes of hosts, by name, and records them. Hosts without robots.txt or ard.json answer 404. */
export function hostsOf(service: Service) {
  const answerers = new Map<string, Answerer>()
  const files = new Map<string, string>()
  const sent: Sent[] = []
  service.onProbe(async (request) => {
    const { method, url } = request
    const one = { method, url, body: await request.text() }
    sent.push(one)
    const { host, pathname } = new URL(url)
    const file = files.get(host + pathname)
    if (file !== undefined) return new Response(file)
    if (pathname === '/robots.txt' || pathname.startsWith('/.well-known/'))
      return new Response(null, { status: 404 })
    return (await answerers.get(host)?.(one)) ?? new Response(null, { status: 404 })
  })
  let count = 0
  return {
    /** Adds a host. @returns its name, and the routes that were asked there */
    add(answer: Answerer) {
      count += 1
      const host = `api${count}.example.com`
      answerers.set(host, answer)
      return {
        host,
        asked: () =>
          sent
            .filter(({ url }) => new URL(url).host === host)
            .map(({ method, url }) => `${method} ${url.slice(url.indexOf(host) + host.length)}`)
            .filter((one) => !/robots\.txt|well-known/.test(one)),
        sent: () => sent.filter(({ url }) => new URL(url).host === host),
        answer: (other: Answerer) => answerers.set(host, other),
        serve: (path: string, text: string) => files.set(host + path, text),
      }
    },
  }
}

export type Host = ReturnType<ReturnType<typeof hostsOf>['add']>

/** The declaration of a route, as stock servers send it with their 402 answers. */
export function bazaarOf(method: string, { input = { days: 3 } as object, schema = {} as object } = {}) {
  const isBody = ['POST', 'PUT', 'PATCH'].includes(method)
  const { bazaar } = declareDiscoveryExtension({
    ...(isBody ? { bodyType: 'json' } : {}),
    input,
    inputSchema: { properties: { days: { type: 'integer', minimum: 1 } }, ...schema },
    output: { example: { celsius: 21 } },
  } as never) as unknown as { bazaar: { info: { input: Body }; schema: Body } }
  return { ...bazaar, info: { ...bazaar.info, input: { ...bazaar.info.input, method } } }
}

/** The 402 answer of a stock server to an unpaid request. */
export function paymentRequired(
  accepts: object[],
  { resource = {} as object, extensions = { bazaar: bazaarOf('GET') } as object } = {},
) {
  const required = {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url: 'https://internal/',
      description: 'The weather',
      mimeType: 'application/json',
      ...resource,
    },
    accepts,
    extensions,
  }
  return new Response('{}', {
    status: 402,
    headers: { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') },
  })
}

/** An agent that sells routes at a host. */
export async function sellerAt(service: Service, host: string, names: string[], amount = 250_000) {
  const agent = await payableAgent(service)
  await agent.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint: `https://${host}/v1/agent` } })
  await agent.setPrices(names.map((name) => ({ name, amount })))
  return agent
}

/** The payment option for a price of an agent, as its server has it in its 402 answer. */
export async function acceptsOf(agent: PayableAgent, name: string): Promise<PaymentRequirements> {
  const { accepts } = (await agent.terms(`?name=${encodeURIComponent(name)}`)) as {
    accepts: { price: { amount: string; asset: string; extra: Body } }[]
  }
  const [{ price, ...rest } = { price: undefined }] = accepts
  if (!price) throw new Error('no such price')
  const { amount, asset, extra } = price
  return { ...rest, amount, asset, extra: { ...extra } } as unknown as PaymentRequirements
}

/** What is stored of an agent's routes. */
export async function resourcesOf(service: Service, agent: { id: string }) {
  const rows = await rowsOf(
    service,
    `select price_name, state, code, url, document, fees, paid_at, next_probe_at, failures
     from request_resources where agent_id = $1 order by price_name`,
    agent.id,
  )
  return rows.map(([name, state, code, url, document, fees]) => ({
    name,
    state,
    ...(code !== null && { code }),
    ...(url !== null && { url }),
    ...(document !== null && { document: JSON.parse(String(document)) as Body }),
    fees: Number(fees),
  }))
}

/** What an answer of /verify or /settle says of the declaration. */
export function listingOf({ headers }: { headers: Headers }) {
  const header = headers.get('extension-responses')
  if (header === null) return undefined
  const { status, code } = JSON.parse(Buffer.from(header, 'base64').toString()).bazaar
  return code === undefined ? status : `${status} ${code}`
}
