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
    fetch: async (request) => {
      const body = await request.text()
      const { method }: { method: string } = JSON.parse(body)
      return (await answer(method)) ?? fetch(target, { method: 'POST', body })
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
