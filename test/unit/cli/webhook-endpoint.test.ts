import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebhookEndpoint } from '../../../lib/cli/webhook-endpoint.ts'
import { createWebhookSigner, type SignedWebhook, signWebhook } from '../../support/webhook-signer.ts'

const KIB_64 = 65_536
const NOW = Date.parse('2026-11-20T09:05:00.000Z')
const signer = createWebhookSigner()
const webhook = (id: string, body = `{"id":"${id}"}`) => signWebhook([signer], { id, body, at: NOW })

/** Starts an endpoint on loopback, which ends with the test, and collects its output. */
async function startEndpoint(wallet?: string) {
  const reported = { received: [] as string[], repeated: [] as string[], refused: [] as string[] }
  const server = createWebhookEndpoint({
    trust: { keys: [signer.publicKey] },
    wallet,
    now: () => NOW,
    received: (event) => reported.received.push(event),
    repeated: (id) => reported.repeated.push(id),
    refused: (reason) => reported.refused.push(reason),
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const post = async ({ headers, body }: SignedWebhook) => {
    const response = await fetch(`http://127.0.0.1:${port}/any/path`, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  return { port, post, reported }
}

describe('the webhook endpoint', () => {
  it('refuses a request by another name or of a foreign page, before it reads it', async () => {
    const { port, reported } = await startEndpoint()
    const { headers, body } = webhook('1')
    const sent = request(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { ...headers, host: 'a.example' },
    })
    const [{ statusCode }] = await once(sent.end(body), 'response')
    expect([statusCode, reported.received]).toEqual([403, []])
  })

  it('passes on each event once, by its id, and answers 204 every time', async () => {
    const { post, reported } = await startEndpoint()
    for (const id of ['a', 'b', 'a', 'a']) {
      expect(await post(webhook(id))).toEqual({ status: 204, text: '' })
    }
    expect(reported).toEqual({ received: ['{"id":"a"}', '{"id":"b"}'], repeated: ['a', 'a'], refused: [] })
  })

  it('answers a request for a proof, which is no event, unless another wallet asks', async () => {
    const { post, reported } = await startEndpoint('anna')
    const request = (wallet: string) =>
      webhook('a', JSON.stringify({ type: 'endpoint.verification', data: { challenge: 'x', wallet } }))
    const text = createHash('sha256').update('x').digest('hex')
    expect(await post(request('anna'))).toEqual({ status: 200, text })
    expect((await post(request('mallory'))).status).toBe(401)
    expect(reported).toMatchObject({ received: [], repeated: [] })
  })

  it('passes an event on as it was sent', async () => {
    const { post, reported } = await startEndpoint()
    const body = '{"name":"Zoë 🜁","amount":18446744073709551615}'
    await post(webhook('a', body))
    expect(reported.received).toEqual([body])
  })

  it('refuses what it cannot verify, gives the reason, and does not remember its id', async () => {
    const { post, reported } = await startEndpoint()
    const { headers, body } = webhook('a')
    const reason = 'webhook-signature has no valid signature by a known key'
    expect(await post({ headers, body: `${body} ` })).toEqual({ status: 401, text: reason })
    const old = signWebhook([signer], { id: 'a', body, at: NOW - 301_000 })
    expect((await post(old)).text).toContain('300 seconds')
    expect((await post({ headers: {}, body })).text).toContain('webhook-id is missing')
    expect((await post({ headers, body })).status).toBe(204)
    expect(reported.received).toEqual([body])
    expect(reported.refused).toHaveLength(3)
  })

  it('accepts bodies of 64 KiB, and no larger ones', async () => {
    const { post, reported } = await startEndpoint()
    expect((await post(webhook('a', JSON.stringify('a'.repeat(KIB_64 - 2))))).status).toBe(204)
    expect((await post(webhook('b', 'b'.repeat(KIB_64 + 1)))).status).toBe(413)
    expect((await post(webhook('c', 'c'.repeat(100 * KIB_64)))).status).toBe(413)
    expect(reported.received).toHaveLength(1)
  })

  it('measures a body that comes without Content-Length', async () => {
    const { port } = await startEndpoint()
    const send = (bytes: number) => {
      const request = { method: 'POST', body: new Blob(['x'.repeat(bytes)]).stream(), duplex: 'half' }
      return fetch(`http://127.0.0.1:${port}/`, request)
    }
    expect((await send(KIB_64)).status).toBe(401)
    expect((await send(KIB_64 + 1)).status).toBe(413)
  })

  it('accepts POST only', async () => {
    const { port } = await startEndpoint()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    }
  })

  it('survives a sender that breaks off', async () => {
    const { port, post, reported } = await startEndpoint()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf')
    socket.resetAndDestroy()
    expect((await post(webhook('a'))).status).toBe(204)
    expect(reported.received).toHaveLength(1)
  })
})
