import type { KeyWallet } from '../../lib/cli/wallet.ts'
import type { Body, Service } from './service.ts'
import { eventually, type openInbox, type Respond } from './webhooks.ts'

let counter = 0

/** A wallet (a new one by default) with an endpoint at an address that nobody else has. */
export async function createEndpoint(
  service: Service,
  inbox: ReturnType<typeof openInbox>,
  { respond, wallet, ...changes }: { respond?: Respond; wallet?: KeyWallet } & Body = {},
) {
  const url = `https://endpoint-${++counter}.example.com/events`
  if (respond) inbox.answer(url, respond)
  const owner = await service.signIn(wallet)
  const made = await owner.call('POST', '/events/endpoints', { body: { url, ...changes } })
  if (made.status !== 201) throw new Error(`not made: ${made.text}`)
  const { secret, ...endpoint } = made.body as Body & { id: string; secret: string }
  const stay = service.stayIn(owner.wallet)
  const call = (method: string, path: string, body?: unknown) =>
    stay(method, path, body === undefined ? {} : { body })
  const path = `/events/endpoints/${endpoint.id}`
  const deliveries = async (query = '') =>
    (await call('GET', `/events/deliveries?endpointId=${endpoint.id}&limit=100${query}`)).body
      .deliveries as Body[]
  return {
    wallet: owner.wallet,
    endpoint,
    secret,
    url,
    path,
    call,
    deliveries,
    types: () => inbox.types(url),
    /** Waits until the endpoint was sent exactly these types of events, in any order. */
    untilSent: (...types: string[]) =>
      eventually(`${url} was sent ${types}`, () => `${inbox.types(url).sort()}` === `${types.sort()}`),
    untilDelivered: (count: number) =>
      eventually(`${count} delivered`, async () => (await deliveries('&status=delivered')).length === count),
  }
}
