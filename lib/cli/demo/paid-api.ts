import { HTTPFacilitatorClient, type RouteConfig, x402ResourceServer } from '@x402/core/server'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddleware } from '@x402/hono'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { Hono } from 'hono'

/**
 * Makes an API whose GET /forecast costs a payment for each request.
 * @param url from POST /x402/agents/{id}/key
 * @param accepts of the price `GET /forecast`, from GET /x402/agents/{id}
 */
export function paidApi(url: string, accepts: RouteConfig['accepts'], forecast: () => string): Hono {
  const facilitator = new HTTPFacilitatorClient({ url })
  const server = new x402ResourceServer(facilitator).register('solana:*', new ExactSvmScheme())
  // Paid once, the route is in the catalog, where other software finds it.
  const extensions = declareDiscoveryExtension({ output: { example: { forecast: 'sunny' } } })
  const description = 'The weather forecast'
  const app = new Hono()
  app.use(paymentMiddleware({ 'GET /forecast': { accepts, description, extensions } }, server))
  app.get('/forecast', (c) => c.json({ forecast: forecast() }))
  return app
}
