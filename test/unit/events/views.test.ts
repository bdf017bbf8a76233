import { describe, expect, it } from 'vitest'
import type { EndpointRow } from '../../../lib/events/endpoints/endpoint-queries.ts'
import { webhookEndpointView } from '../../../lib/events/endpoints/views.ts'

const AT = new Date('2026-11-27T12:00:00.000Z')
const ATTEMPTED = AT.toISOString()

const viewOf = (destination: object | null) => {
  const endpoint = {
    ...{ id: 'an id', kind: 'wallet', url: 'https://hooks.example.com/', description: null },
    ...{ eventTypes: [], agentIds: [], disabledAt: null, disabledReason: null, createdAt: AT },
  }
  const { proof, lastAttemptAt, unconfirmedReason } = webhookEndpointView({
    ...endpoint,
    destination,
  } as unknown as EndpointRow)
  return { proof, lastAttemptAt, unconfirmedReason }
}

describe('the view of a webhook endpoint', () => {
  it.each([
    ['has no destination yet', null, 'new', undefined],
    ['waits for its first attempt', {}, 'new', undefined],
    ['was proven', { provenAt: AT }, 'proven', ATTEMPTED],
    ['answered without a proof', { answeredAt: AT }, 'unconfirmed', ATTEMPTED],
    ['has only failed', { failingSince: AT }, 'new', ATTEMPTED],
  ])('says when an attempt was made, if its URL %s', (_title, given, proof, lastAttemptAt) => {
    const destination = given && {
      ...{
        provenAt: null,
        answeredAt: null,
        failingSince: null,
        unconfirmedReason: 'other_body',
        lastAttemptAt: AT,
      },
      ...given,
    }
    const unconfirmedReason = proof === 'unconfirmed' ? 'other_body' : undefined
    expect(viewOf(destination)).toEqual({ proof, lastAttemptAt, unconfirmedReason })
  })
})
