import { listEvents } from '../../lib/events/list.ts'
import { listDeliveries } from '../../lib/events/list-deliveries.ts'
import { replay } from '../../lib/events/replay.ts'
import { deliveryListView, deliveryView, eventListText } from '../../lib/events/views.ts'
import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json, jsonText } from '../../lib/http/json.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { limitByAddress, limitByWallet } from '../../lib/http/rate-limit.ts'
import { requireSession } from '../../lib/http/session.ts'
import { params, query } from '../../lib/http/validate.ts'
import { DeliveryListQuery, EventListQuery, EventPath } from '../../schema/wire/events.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.EventsEnv, Deps>) {
  const publicLimit = limitByAddress('READ_LIMIT')
  const walletLimit = limitByWallet('WALLET_LIMIT')

  app.get('/v1/events', requireSession(), walletLimit, query(EventListQuery), async (c) => {
    const page = await listEvents(c.var.deps, c.var.session.wallet, c.req.valid('query'))
    const last = page.hasMore ? page.events.at(-1)?.id : undefined
    return jsonText(eventListText(page), 200, nextPageLink(c.req.url, last, 'after'))
  })

  app.get('/v1/events/keys', publicLimit, publicRead, (c) => json({ keys: c.var.deps.publicKeys() }))

  app.get('/v1/events/deliveries', requireSession(), walletLimit, query(DeliveryListQuery), async (c) => {
    const page = await listDeliveries(c.var.deps, c.var.session.wallet, c.req.valid('query'))
    return json(deliveryListView(page), 200, nextPageLink(c.req.url, page.nextCursor))
  })

  app.post(
    '/v1/events/:id{[0-9a-fA-F-]{36}}/replay',
    requireSession(),
    walletLimit,
    params(EventPath),
    async (c) =>
      json(deliveryView(await replay(c.var.deps, c.var.session.wallet, c.req.valid('param').id)), 202),
  )
}
