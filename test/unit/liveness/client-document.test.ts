import { afterEach, expect, it, vi } from 'vitest'
import { readClientDocument } from '../../../lib/liveness/client-document.ts'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
  vi.restoreAllMocks()
})

const deps = { clock: () => new Date('2026-11-20T12:00:00Z'), apiHost: 'api.agentcred.example' }
const URL_ASKED = 'https://app.example.com/client.json'

const served = (type: string, status = 200) => {
  globalThis.fetch = async () => new Response('{}', { status, headers: { 'content-type': type } })
  return readClientDocument(deps, URL_ASKED)
}

it('waits five seconds for a document', async () => {
  const limiting = vi.spyOn(AbortSignal, 'timeout')
  expect(await served('application/json')).toBe('{}')
  expect(limiting.mock.calls).toEqual([[5_000]])
})

it.each([
  ['application/json', 200, '{}'],
  ['Application/JSON; charset=utf-8', 200, '{}'],
  ['application/client+json', 200, '{}'],
  ['application/+json', 200, undefined],
  ['text/json', 200, undefined],
  ['application/jsonp', 200, undefined],
  ['application/json', 201, undefined],
  ['application/json', 404, undefined],
])('reads %s with status %i as %s', async (type, status, text) => {
  expect(await served(type, status)).toBe(text)
})
