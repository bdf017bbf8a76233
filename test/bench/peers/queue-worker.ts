/**
 * Represents a queue of Cloudflare. Messages that come together go to the jobs Worker at once, in batches as
 * large as wrangler.toml allows. Delayed messages go after their delay, and are dropped if that is longer
 * than a measurement. Its socket also takes POST /notify with endpoints' ids.
 */
/** A service binding under the flag service_binding_extra_handlers, whose types lack this method. */
type Consumer = Fetcher & { queue(name: string, messages: object[]): Promise<unknown> }
/** The queue's name, and the most messages of a batch. */
type Env = { JOBS: Consumer; QUEUE: string; MAX_BATCH_SIZE: string }
type Sent = { body: unknown; delaySecs?: number }

/** The longest delay of a message. */
const MAX_DELAY_SECONDS = 60

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    const sent = await sentBy(request, pathname)
    const size = Number(env.MAX_BATCH_SIZE)
    for (const [delay, messages] of Map.groupBy(sent, ({ delaySecs = 0 }) => delaySecs)) {
      if (delay > MAX_DELAY_SECONDS) continue
      for (let start = 0; start < messages.length; start += size) {
        ctx.waitUntil(handOn(env, messages.slice(start, start + size), delay))
      }
    }
    return Response.json({ metadata: { metrics: {} } })
  },
} satisfies ExportedHandler<Env>

async function handOn(env: Env, sent: Sent[], delay: number): Promise<void> {
  if (delay > 0) await scheduler.wait(delay * 1000)
  const messages = sent.map(({ body }) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
  }))
  await env.JOBS.queue(env.QUEUE, messages)
}

async function sentBy(request: Request, pathname: string): Promise<Sent[]> {
  if (pathname === '/notify') {
    return (await request.json<string[]>()).map((endpointId) => ({ body: { endpointId } }))
  }
  if (pathname === '/batch') {
    const { messages } = await request.json<{ messages: { body: string; delaySecs?: number }[] }>()
    return messages.map(({ body, ...message }) => ({ ...message, body: JSON.parse(atob(body)) }))
  }
  return [{ body: await request.json() }]
}
