import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inboxHandler } from '../../../lib/local/inbox.ts'
import { createWebhookSigner, signWebhook } from '../../support/webhook-signer.ts'

const NOW = Date.parse('2026-11-20T09:05:00.000Z')
const signer = createWebhookSigner()

/** An inbox that trusts one signer, and what somebody can do with it. */
function createInbox() {
  const handler = inboxHandler({ keys: [signer.publicKey], now: () => NOW })
  const at = (path: string, init?: RequestInit) => handler(new Request(`http://127.0.0.1${path}`, init))
  return {
    at,
    send: async (path: string, id: string, { by = signer, type = 'hire.created' } = {}) => {
      const { headers, body } = signWebhook([by], { id, body: JSON.stringify({ id, type }), at: NOW })
      return (await at(path, { method: 'POST', headers, body })).status
    },
    arrivals: async (path: string): Promise<{ id: string }[]> =>
      ((await (await at(path)).json()) as { arrivals: { id: string }[] }).arrivals,
  }
}

describe('the inbox', () => {
  it('lists a path’s requests unchanged, newest first, and none of another path', async () => {
    const { send, arrivals } = createInbox()
    expect(await send('/anna', 'a')).toBe(204)
    expect(await send('/ben', 'b')).toBe(204)
    expect(await send('/anna', 'c', { type: 'endpoint.test' })).toBe(204)
    const receivedAt = '2026-11-20T09:05:00.000Z'
    expect(await arrivals('/anna')).toEqual([
      { id: 'c', type: 'endpoint.test', receivedAt, body: '{"id":"c","type":"endpoint.test"}' },
      { id: 'a', type: 'hire.created', receivedAt, body: '{"id":"a","type":"hire.created"}' },
    ])
    expect(await arrivals('/nobody')).toEqual([])
  })

  it('keeps nothing that the service has not signed, and says why', async () => {
    const { at, send, arrivals } = createInbox()
    expect(await send('/anna', 'a', { by: createWebhookSigner() })).toBe(401)
    const unsigned = await at('/anna', { method: 'POST', body: '{}' })
    expect([unsigned.status, await unsigned.text()]).toEqual([401, expect.stringContaining('webhook-id')])
    expect((await at('/anna', { method: 'POST', body: 'x'.repeat(65_537) })).status).toBe(413)
    expect((await at('/anna', { method: 'DELETE' })).status).toBe(405)
    expect(await arrivals('/anna')).toEqual([])
  })

  it('answers a request for a proof, and does not list it', async () => {
    const { at, arrivals } = createInbox()
    const body = JSON.stringify({ type: 'endpoint.verification', data: { challenge: 'x' } })
    const { headers } = signWebhook([signer], { id: 'a', body, at: NOW })
    const answer = await at('/anna', { method: 'POST', headers, body })
    expect([answer.status, await answer.text()]).toEqual([
      200,
      createHash('sha256').update('x').digest('hex'),
    ])
    expect(await arrivals('/anna')).toEqual([])
  })

  it('keeps the last hundred', async () => {
    const { send, arrivals } = createInbox()
    for (let sent = 0; sent < 103; sent += 1) await send('/anna', `e${sent}`)
    const kept = await arrivals('/anna')
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([100, 'e102', 'e3'])
  })
})
