import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../lib/client/generated/types.ts'
import { draftOf, patchOf, requestOf } from '../../../lib/console/views/developer/endpoint-draft.ts'

const endpoint: Endpoint = {
  id: '0192f7a0-0000-7000-8000-000000000001',
  kind: 'wallet',
  url: 'https://example.com/hooks',
  description: 'Office',
  eventTypes: ['hire.created', 'hire.expired'],
  agentIds: ['a', 'b'],
  enabled: true,
  createdAt: '2026-11-20T09:00:00.000Z',
  proof: 'new',
}

describe('a new endpoint', () => {
  it('listens to everything unless limited, and has a name only if one was typed', () => {
    expect(requestOf({ ...draftOf(), url: 'https://example.com/' })).toEqual({
      url: 'https://example.com/',
      eventTypes: [],
      agentIds: [],
    })
    expect(requestOf({ ...draftOf(), description: 'Office' })).toHaveProperty('description', 'Office')
  })
})

describe('the change of an endpoint', () => {
  const changed = (changes: Partial<ReturnType<typeof draftOf>>) =>
    patchOf(endpoint, { ...draftOf(endpoint), ...changes })

  it('is empty while nothing differs but blanks and the order of choices', () => {
    expect(changed({})).toBeUndefined()
    expect(changed({ url: ' https://example.com/hooks ', agentIds: ['b', 'a'] })).toBeUndefined()
  })

  it('has only what differs; a name that was emptied is removed', () => {
    expect(changed({ url: 'https://example.com/new ' })).toEqual({ url: 'https://example.com/new' })
    expect(changed({ description: ' ' })).toEqual({ description: null })
    expect(changed({ eventTypes: ['hire.created'] })).toEqual({ eventTypes: ['hire.created'] })
    expect(changed({ agentIds: [] })).toEqual({ agentIds: [] })
    expect(changed({ agentIds: ['a', 'c'] })).toEqual({ agentIds: ['a', 'c'] })
  })
})
