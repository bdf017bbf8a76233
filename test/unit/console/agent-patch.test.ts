import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../lib/client/generated/types.ts'
import { draftOf, patchOf } from '../../../lib/console/views/agents/fields.ts'

const agent: Agent = {
  id: '0192f7a0-0000-7000-8000-000000000001',
  pubkey: 'owner',
  name: 'Yield Scout',
  description: 'Finds yield.',
  agentType: 'autonomous',
  supportedLayers: [17],
  feeModel: 'flat',
  feeAmount: 1,
  reputationScore: 0,
  ratings: 0,
  ratingsWeight: 0,
  totalHires: 0,
  status: 'active',
  apiEndpoint: 'https://scout.example.com/a2a',
  apiProtocol: 'a2a-jsonrpc',
  registeredAt: '2026-11-20T09:00:00.000Z',
}

describe('the change of an agent', () => {
  it('is empty while nothing differs', () => {
    expect(patchOf(agent, draftOf(agent))).toBeUndefined()
  })

  it('ignores blanks around', () => {
    expect(patchOf(agent, { ...draftOf(agent), description: ' Finds yield. ' })).toBeUndefined()
  })

  it('has only what differs', () => {
    const draft = {
      ...draftOf(agent),
      apiEndpoint: ' https://scout.example.com/mcp',
      apiProtocol: 'mcp' as const,
    }
    expect(patchOf(agent, draft)).toEqual({
      apiEndpoint: 'https://scout.example.com/mcp',
      apiProtocol: 'mcp',
    })
  })

  it('removes what was emptied', () => {
    const draft = { ...draftOf(agent), description: '', apiProtocol: '' as const }
    expect(patchOf(agent, draft)).toEqual({ description: null, apiProtocol: null })
  })

  it('keeps a webhook that nothing was typed for', () => {
    expect(patchOf(agent, { ...draftOf(agent), logoUrl: 'ipfs://b' })).toEqual({ logoUrl: 'ipfs://b' })
    const webhookUrl = 'https://scout.example.com/hooks'
    expect(patchOf(agent, { ...draftOf(agent), webhookUrl })).toEqual({ webhookUrl })
  })
})
