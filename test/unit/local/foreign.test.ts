import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isForeign } from '../../../lib/local/foreign.ts'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'

describe('a request', () => {
  it.each([
    ['localhost:8787', undefined],
    ['LOCALHOST', null],
    ['127.0.0.1:5488', 'http://localhost:5173'],
    ['[::1]:8787', 'https://app.localhost'],
    ['agent.localhost:8787', 'http://127.0.0.1:3000'],
    ['localhost:8899', 'chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa'],
  ])('is of this machine with the host %s and the origin %s', (host, origin) => {
    expect(isForeign(host, origin)).toBe(false)
  })

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['evil.example:5488', undefined],
    ['localhost.evil.example', undefined],
    ['evillocalhost', undefined],
    ['127.0.0.1.evil.example', undefined],
    ['localhost:8787@evil.example', undefined],
    ['0.0.0.0:8787', undefined],
    ['localhost', 'https://evil.example'],
    ['localhost', 'http://localhost.evil.example:8787'],
    ['localhost', 'null'],
    ['localhost', ''],
    ['localhost', 'http://localhost@evil.example'],
  ])('is foreign with the host %s and the origin %s', (host, origin) => {
    expect(isForeign(host, origin)).toBe(true)
  })
})

it('never reaches the handler of a local server when it is foreign', async () => {
  let calls = 0
  const server = await serveOnLoopback('A server', async () => new Response(String(++calls)), 0)
  onTestFinished(() => server.close())
  const send = async (headers: Record<string, string>) => {
    const sent = request(`${server.origin}/sql`, { method: 'POST', headers, agent: false }).end('{}')
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await send({ host: 'rebound.example' })).toBe(403)
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(calls).toBe(0)
  expect(await send({ origin: 'http://localhost:3000' })).toBe(200)
})
