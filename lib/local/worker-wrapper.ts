/**
 * Wraps every Worker in the local bundle, and only there: it moves its clock, and counts its KV calls for
 * the tests. Production bundles start at functions/<group>/index.ts and know none of this.
 */

/** How far the Workers' clock is ahead of the machine's, in milliseconds. Read anew before each call. */
let offsetMs = 0

const MachineDate = Date
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + offsetMs] : args, newTarget),
  apply: (target) => new target(target.now() + offsetMs).toString(),
  get: (target, key) => (key === 'now' ? () => target.now() + offsetMs : Reflect.get(target, key)),
})

type LocalEnv = Record<string, unknown> & { LOCAL_CLOCK: Fetcher }

/** The answer to a request with this header has the number of its KV calls in a header of the same name. */
const COUNT_KV_CALLS = 'x-local-kv-calls'

/** Wraps a Worker so that its clock is set before every fetch, scheduled and queue call. */
export const wrapped = (worker: ExportedHandler<LocalEnv>): ExportedHandler<LocalEnv> => ({
  async fetch(request, env, ctx) {
    await setClock(env)
    if (!request.headers.has(COUNT_KV_CALLS)) return worker.fetch?.(request, env, ctx) ?? notFound()
    const kv = countKvCalls(env)
    const response = new Response(...(await reopen(worker.fetch?.(request, kv.env, ctx) ?? notFound())))
    response.headers.set(COUNT_KV_CALLS, String(kv.calls()))
    return response
  },
  async scheduled(controller, env, ctx) {
    await setClock(env)
    await worker.scheduled?.(controller, env, ctx)
  },
  async queue(batch, env, ctx) {
    await setClock(env)
    await worker.queue?.(batch, env, ctx)
  },
})

const notFound = () => new Response(null, { status: 404 })

async function reopen(answer: Response | Promise<Response>): Promise<[ReadableStream | null, Response]> {
  const response = await answer
  return [response.body, response]
}

async function setClock(env: LocalEnv) {
  const answer = await env.LOCAL_CLOCK.fetch('http://clock/')
  offsetMs = Number(await answer.text())
}

/** Wraps the bindings so that every method call on a KV namespace is counted. */
function countKvCalls(env: LocalEnv): { env: LocalEnv; calls: () => number } {
  let calls = 0
  const counted = (namespace: object) =>
    new Proxy(namespace, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          calls += 1
          return member.apply(target, args)
        }
      },
    })
  const entries = Object.entries(env).map(([name, binding]) => [
    name,
    isKvNamespace(binding) ? counted(binding) : binding,
  ])
  return { env: Object.fromEntries(entries), calls: () => calls }
}

// By its class name, since a service binding claims to have every method.
const isKvNamespace = (binding: unknown): binding is object =>
  typeof binding === 'object' && binding?.constructor.name === 'KvNamespace'
