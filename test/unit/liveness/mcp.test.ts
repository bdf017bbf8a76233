import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AskDeps } from '../../../lib/liveness/ask.ts'
import { probeMcp } from '../../../lib/liveness/mcp.ts'

const URL_ASKED = 'https://scout.example.com/mcp'
const NOW = new Date('2026-11-20T12:00:00Z')
const deps: AskDeps = {
  clock: () => NOW,
  apiHost: 'api.agentcred.example',
  until: new Date(NOW.getTime() + 15_000),
}

afterEach(() => vi.restoreAllMocks())

/** Probes a server that gives every request this answer. @returns the outcome, and the methods it was sent */
async function probe(answer: () => Response) {
  const methods: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    methods.push(JSON.parse(String(init?.body)).method)
    return answer()
  })
  return { outcome: await probeMcp(deps, URL_ASKED), methods }
}

const error = (code: unknown) => ({ jsonrpc: '2.0', id: 1, error: { code, message: 'm' } })
const live = { kind: 'live', latencyMs: 0, isAuthRequired: false }

/** A stream that its server never ends. */
const openStream = (message: object) =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`)),
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

describe.each([-32_020, -32_021, -32_022])('an MCP server that answers server/discover with %i', (code) => {
  it.each([400, 200, 404, 422])('is live by it alone, with the status %i', async (status) => {
    const { outcome, methods } = await probe(() => Response.json(error(code), { status }))
    expect(outcome).toEqual(live)
    expect(methods).toEqual(['server/discover'])
  })

  it('is live by it alone, in a stream that stays open', async () => {
    const { outcome, methods } = await probe(() => openStream(error(code)))
    expect(outcome).toEqual(live)
    expect(methods).toEqual(['server/discover'])
  })

  it('wants authentication when the status says so', async () => {
    const { outcome, methods } = await probe(() => Response.json(error(code), { status: 401 }))
    expect(outcome).toEqual({ ...live, isAuthRequired: true })
    expect(methods).toEqual(['server/discover'])
  })

  it('is not live when it fails by itself', async () => {
    const { outcome } = await probe(() => Response.json(error(code), { status: 500 }))
    expect(outcome).toEqual({ kind: 'failed' })
  })
})

describe('an MCP server that answers everything', () => {
  it.each<[string, () => Response]>([
    ['another error', () => Response.json(error(-32_601))],
    ['another error, in a stream that stays open', () => openStream(error(-32_601))],
    ['a code that is a text', () => Response.json(error('-32022'))],
    ['a code in a result that is none', () => Response.json({ code: -32_022, result: null })],
    ['a page that names the code', () => new Response('{"error":{"code":-32022} <html>')],
  ])('with %s is asked to initialize, and is not live', async (_what, answer) => {
    const { outcome, methods } = await probe(answer)
    expect(outcome).toEqual({ kind: 'failed' })
    expect(methods).toEqual(['server/discover', 'initialize'])
  })
})
