import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { onTestFinished } from 'vitest'

/**
 * A node in front of another: `answer` may answer a call itself; what it leaves is passed on. It is gone when
 * the test ends.
 */
export async function rpcProxy(
  target: string,
  answer: (method: string) => Promise<Response | undefined> | Response | undefined,
): Promise<string> {
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: async (request) => {
      const body = await request.text()
      const { method, id }: { method: string; id: unknown } = JSON.parse(body)
      const own = await answer(method)
      if (own === undefined) return fetch(target, { method: 'POST', body })
      // An answer has the id of its call (JSON-RPC 2.0, section 5).
      return own.ok ? Response.json({ jsonrpc: '2.0', ...((await own.json()) as object), id }) : own
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A JSON-RPC answer that refuses the call. */
export const rpcError = (code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id: 1, error: { code, message } })

/** A JSON-RPC answer with a result. */
export const rpcResult = (result: unknown) => Response.json({ jsonrpc: '2.0', id: 1, result })
