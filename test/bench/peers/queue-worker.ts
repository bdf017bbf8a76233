/**
 * Stands for Cloudflare Queues: hands each message to the jobs Worker at once, each in a run of its own, as
 * the consumer's max_batch_size of 1 asks; delayed ones are dropped, since nothing here fails. Its socket
 * also takes POST /nudge with agent ids.
 */
/** What a service binding can do under the flag service_binding_extra_handlers; its types leave it out. */
type Consumer = Fetcher & { queue(name: string, messages: object[]): Promise<unknown> }
type Env = { JOBS: Consumer }
type Sent = { body: string; delaySecs?: number }

const QUEUE = 'agentcred-deliveries'

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    const bodies = await bodiesOf(request, pathname)
    for (const body of bodies) {
      const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }
      ctx.waitUntil(env.JOBS.queue(QUEUE, [message]))
    }
    return Response.json({ metadata: { metrics: {} } })
  },
} satisfies ExportedHandler<Env>

async function bodiesOf(request: Request, pathname: string): Promise<unknown[]> {
  if (pathname === '/nudge') return (await request.json<string[]>()).map((agentId) => ({ agentId }))
  if (pathname === '/batch') {
    const { messages } = await request.json<{ messages: Sent[] }>()
    return messages.filter(({ delaySecs = 0 }) => delaySecs === 0).map(({ body }) => JSON.parse(atob(body)))
  }
  return [await request.json()]
}
