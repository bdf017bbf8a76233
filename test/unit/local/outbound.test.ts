import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { type Outbound, serveOutbound } from '../../../lib/local/workers/outbound.ts'

/** Sends as workerd does, to a proxy: the whole URL, and no host. @returns the status and the body */
async function send(outbound: Outbound, changes: Record<string, string> = {}) {
  const server = await serveOutbound(outbound)
  onTestFinished(server.close)
  const [host, port] = server.address.split(':')
  const headers = { [server.header.name]: server.header.value, 'x-of-worker': '1', ...changes }
  const to = {
    host,
    port,
    method: 'POST',
    path: 'https://hooks.example.com/a?b=%20',
    headers,
    setHost: false,
  }
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const sending = request(to, async (incoming) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      resolve([incoming.statusCode, Buffer.concat(chunks).toString()])
    })
    sending.on('error', reject)
    sending.end('body')
  })
}

it('hands over the request as the Worker sent it, without what is for this server', async () => {
  let seen: unknown[] = []
  const answer = await send(async (sent) => {
    seen = [sent.method, sent.url, await sent.text(), Object.fromEntries(sent.headers)]
    return new Response('answer', { status: 201 })
  })
  expect(answer).toEqual([201, 'answer'])
  expect(seen).toEqual(['POST', 'https://hooks.example.com/a?b=%20', 'body', { 'x-of-worker': '1' }])
})

it('refuses callers without the secret, and calls no handler', async () => {
  const answer = await send(() => expect.fail('was asked'), { 'x-local-outbound': 'guessed' })
  expect(answer).toEqual([403, ''])
})

it('answers 502 for a host of no handler, and 500 where one fails', async () => {
  expect((await send(() => undefined))[0]).toBe(502)
  expect(await send(() => Promise.reject(new Error('reset')))).toEqual([500, 'Error: reset'])
})

it('passes on what fetch has unpacked as unpacked', async () => {
  const length = String(gzipSync('text').length)
  const headers = { 'content-encoding': 'gzip', 'content-length': length }
  expect(await send(async () => new Response('text', { headers }))).toEqual([200, 'text'])
})
