/**
 * Stands for a queue of Cloudflare: hands what came together to the jobs Worker at once, in batches as large
 * as wrangler.toml lets the consumer have; delayed messages are dropped, since no measurement lasts until
 * they are due. Its socket also takes POST /nudge with endpoints' ids.
 */
/** What a service binding can do under the flag service_binding_extra_handlers; its types leave it out. */
type Consumer = Fetcher & { queue(name: string, messages: object[]): Promise<unknown> }
/** The queue's name, and how many messages a batch has at most. */
type Env = { JOBS: Consumer; QUEUE: string; MAX_BATCH_SIZE: string }
type Sent = { body: string; delaySecs?: number }

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    const bodies = await bodiesOf(request, pathname)
    const size = Number(env.MAX_BATCH_SIZE)
    for (let start = 0; start < bodies.length; start += size) {
      const messages = bodies
        .slice(start, start + size)
        .map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
      ctx.waitUntil(env.JOBS.queue(env.QUEUE, messages))
    }
    return Response.json({ metadata: { metrics: {} } })
  },
} satisfies ExportedHandler<Env>

async function bodiesOf(request: Request, pathname: string): Promise<unknown[]> {
  if (pathname === '/nudge') return (await request.json<string[]>()).map((endpointId) => ({ endpointId }))
  if (pathname === '/batch') {
    const { messages } = await request.json<{ messages: Sent[] }>()
    return messages.filter(({ delaySecs = 0 }) => delaySecs === 0).map(({ body }) => JSON.parse(atob(body)))
  }
  return [await request.json()]
}
