import type { EventType } from '../../schema/values.ts'
import { AGENT_ID, ATTESTATION_ID, agent, HIRE_ID, hire, OTHER_WALLET, WALLET } from './examples.ts'

/** What the description and the README say of an event: when there is one, whose log has it, and an example's data. */
export type EventDoc = {
  meaning: string
  /** Whose logs it is in. The webhook is that of the agent, for the events that have one. */
  log: string
  webhook: boolean
  example: { timestamp: string; data: Record<string, unknown> }
}

const hireData = {
  hireId: HIRE_ID,
  agentId: AGENT_ID,
  wallet: WALLET,
  layersEnabled: hire.layersEnabled,
  budgetLimit: hire.budgetLimit,
  autoRenew: false,
  status: 'active',
  hiredAt: hire.hiredAt,
  expiresAt: hire.expiresAt,
}
const POSITION = { owner: WALLET, positionId: 0, address: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx' }
const bothSides = 'the owner’s and the hirer’s'

export const eventDocs: Record<EventType, EventDoc> = {
  'agent.registered': {
    meaning: 'An agent was registered.',
    log: 'the owner’s',
    webhook: true,
    example: {
      timestamp: agent.registeredAt,
      data: {
        agentId: AGENT_ID,
        name: agent.name,
        agentType: agent.agentType,
        supportedLayers: agent.supportedLayers,
        feeModel: agent.feeModel,
        feeAmount: agent.feeAmount,
        status: 'active',
      },
    },
  },
  'agent.status_changed': {
    meaning:
      'Its owner or an operator changed an agent’s status; `reason` is the operator’s for a suspension.',
    log: 'the owner’s',
    webhook: true,
    example: {
      timestamp: '2026-11-21T08:00:00.000Z',
      data: { agentId: AGENT_ID, status: 'suspended', previousStatus: 'active', reason: 'Phishing' },
    },
  },
  'hire.created': {
    meaning: 'An agent was hired.',
    log: bothSides,
    webhook: true,
    example: { timestamp: hire.hiredAt, data: hireData },
  },
  'hire.renewed': {
    meaning:
      'A term of a hire with autoRenew ended and the next began; the hire runs until `expiresAt`. After an outage of the service one event may stand for several terms.',
    log: bothSides,
    webhook: true,
    example: {
      timestamp: hire.expiresAt,
      data: { ...hireData, autoRenew: true, expiresAt: '2027-01-19T09:05:00.000Z' },
    },
  },
  'hire.expired': {
    meaning: 'A hire’s term ended and it was not renewed: without autoRenew, or its agent was not active.',
    log: bothSides,
    webhook: true,
    example: {
      timestamp: hire.expiresAt,
      data: { ...hireData, status: 'expired', endedAt: hire.expiresAt },
    },
  },
  'hire.terminated': {
    meaning: 'The hirer ended a hire.',
    log: bothSides,
    webhook: true,
    example: {
      timestamp: '2026-11-25T12:00:00.000Z',
      data: { ...hireData, status: 'terminated', endedAt: '2026-11-25T12:00:00.000Z' },
    },
  },
  'vault.position_opened': {
    meaning: 'A stack has landed on the chain.',
    log: 'the owner’s',
    webhook: false,
    example: {
      timestamp: '2026-11-20T10:00:00.000Z',
      data: {
        ...POSITION,
        amount: 100_000_000_000,
        lockDays: 30,
        apyBps: 1000,
        stakedAt: '2026-11-20T10:00:00.000Z',
        unlocksAt: '2026-12-20T10:00:00.000Z',
      },
    },
  },
  'vault.position_closed': {
    meaning: 'An unstack has landed: the position was withdrawn. `amount` is its principal.',
    log: 'the owner’s',
    webhook: false,
    example: {
      timestamp: '2026-12-21T10:00:00.000Z',
      data: { ...POSITION, amount: 100_000_000_000 },
    },
  },
  'vault.yield_claimed': {
    meaning: 'A claim has landed. One event for all positions that it was paid from.',
    log: 'the owner’s',
    webhook: false,
    example: {
      timestamp: '2026-12-05T10:00:00.000Z',
      data: {
        owner: WALLET,
        transactionId: '01938f44-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
        amount: 410_958_904,
        positions: [{ positionId: 0, amount: 410_958_904 }],
      },
    },
  },
  'attestation.verified': {
    meaning: 'An oracle, or an account on the chain, has verified an attestation.',
    log: 'its wallet’s',
    webhook: false,
    example: {
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        attestationId: ATTESTATION_ID,
        credentialType: 'certification',
        credentialId: 'AWS-SAA-12345',
        verificationLevel: 'third_party_verified',
        decidedBy: OTHER_WALLET,
      },
    },
  },
  'attestation.rejected': {
    meaning: 'An oracle has rejected an attestation; `reason` is the oracle’s.',
    log: 'its wallet’s',
    webhook: false,
    example: {
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        attestationId: ATTESTATION_ID,
        credentialType: 'certification',
        credentialId: 'AWS-SAA-12345',
        verificationLevel: 'document_submitted',
        decidedBy: OTHER_WALLET,
        reason: 'The document is unreadable',
      },
    },
  },
  'pioneer.joined': {
    meaning: 'A wallet became a pioneer; `referrer` is who earned a bounty by it.',
    log: 'the pioneer’s and the referrer’s',
    webhook: false,
    example: {
      timestamp: '2026-11-20T11:00:00.000Z',
      data: { wallet: WALLET, tier: 'founding', referrer: OTHER_WALLET },
    },
  },
}

const EVENT_ID = '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7e'

/** An event as it is sent. */
export const eventExample = (type: EventType) => ({ id: EVENT_ID, type, ...eventDocs[type].example })

export const delivery = {
  eventId: EVENT_ID,
  type: 'hire.created',
  agentId: AGENT_ID,
  status: 'pending',
  attempts: 2,
  createdAt: hire.hiredAt,
  lastAttemptAt: '2026-11-20T09:05:05.412Z',
  lastResponseCode: 503,
  nextAttemptAt: '2026-11-20T09:10:09.871Z',
}
