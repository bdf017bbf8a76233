import type * as v from 'valibot'
import {
  AGENT_ID,
  ATTESTATION_ID,
  BUDGET_ACCOUNT,
  CHARGE_ID,
  ENDPOINT_ID,
  EVENT_ID,
  HIRE_ID,
  OTHER_WALLET,
  RATING_ID,
  TRANSACTION_ID,
  WALLET,
} from '../examples.ts'
import { type EventType, eventTypes } from '../values.ts'
import { describe } from '../words.ts'
import { agentExample, hireExample } from './agent-answers.ts'
import { Event, Events, eventSchemaName } from './event.ts'

/** What the description says of an event: when there is one, whose log has it, and an example's data. */
type EventWords<Type extends EventType> = {
  meaning: string
  /** Whose logs it is in, and so whose endpoints it goes to. */
  log: string
  /** Whether it is about an agent, and so goes to that agent's webhookUrl, too. */
  ofAgent: boolean
  example: Pick<v.InferInput<(typeof Events)[Type]>, 'timestamp' | 'data'>
}

export const eventWords = WORDS && allEventWords()

/** An event of the type as it is sent, for the description. */
export function exampleOf<Type extends EventType>(type: Type) {
  if (!eventWords) throw new Error('there are no words in this program')
  return { id: EVENT_ID, type, ...eventWords[type].example }
}

if (WORDS && eventWords) {
  describe(Event, { name: 'Event', description: 'An event, by its type.', fields: {} })
  for (const type of eventTypes) {
    describe<v.GenericSchema & { entries: Record<'id' | 'type' | 'timestamp' | 'data', v.GenericSchema> }>(
      Events[type],
      {
        name: eventSchemaName(type),
        description: eventWords[type].meaning,
        fields: {
          id: 'The same in the log, in every attempt and in a replay: deduplicate by it.',
          type: 'The type of event.',
          timestamp: 'When it happened.',
          data: 'What the event reports.',
        },
        example: exampleOf(type),
      },
    )
  }
}

function allEventWords(): { [Type in EventType]: EventWords<Type> } {
  const hireData = {
    hireId: HIRE_ID,
    agentId: AGENT_ID,
    wallet: WALLET,
    layersEnabled: hireExample.layersEnabled,
    budgetLimit: hireExample.budgetLimit,
    autoRenew: false,
    status: 'active' as const,
    hiredAt: hireExample.hiredAt,
    expiresAt: hireExample.expiresAt,
  }
  const sides = { agentId: AGENT_ID, owner: OTHER_WALLET, hirer: WALLET }
  const charge = {
    chargeId: CHARGE_ID,
    hireId: HIRE_ID,
    ...sides,
    reference: 'job-1042',
    amount: 1_250_000_000,
    capturedValue: 25_000_000_000,
    layer: 17,
    status: 'recorded' as const,
    createdAt: '2026-11-21T10:00:00.000Z',
  }
  const budget = {
    hireId: HIRE_ID,
    ...sides,
    budgetLimit: hireExample.budgetLimit ?? 0,
    spent: 4_250_000_000,
    remaining: 750_000_000,
    period: { start: hireExample.hiredAt, end: hireExample.expiresAt },
  }
  const moved = {
    hireId: HIRE_ID,
    ...sides,
    transactionId: TRANSACTION_ID,
    address: BUDGET_ACCOUNT,
    amount: 5_000_000_000,
  }
  const rating = {
    ratingId: RATING_ID,
    hireId: HIRE_ID,
    ...sides,
    rating: 4,
    comment: 'Did what it said.',
    createdAt: '2026-11-22T10:00:00.000Z',
  }
  const POSITION = { owner: WALLET, positionId: 0, address: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx' }
  const bothSides = 'the owner’s and the hirer’s'
  return {
    'agent.registered': {
      meaning: 'An agent was registered.',
      log: 'the owner’s',
      ofAgent: true,
      example: {
        timestamp: agentExample.registeredAt,
        data: {
          agentId: AGENT_ID,
          name: agentExample.name,
          agentType: agentExample.agentType,
          supportedLayers: agentExample.supportedLayers,
          feeModel: agentExample.feeModel,
          feeAmount: agentExample.feeAmount,
          status: 'active',
        },
      },
    },
    'agent.status_changed': {
      meaning:
        'Its owner or an operator changed an agent’s status; `reason` is the operator’s for a suspension.',
      log: 'the owner’s',
      ofAgent: true,
      example: {
        timestamp: '2026-11-21T08:00:00.000Z',
        data: { agentId: AGENT_ID, status: 'suspended', previousStatus: 'active', reason: 'Phishing' },
      },
    },
    'hire.created': {
      meaning: 'An agent was hired.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: hireExample.hiredAt, data: hireData },
    },
    'hire.renewed': {
      meaning:
        'A term of a hire with autoRenew ended and the next began; the hire runs until `expiresAt`. After an outage of the service one event may stand for several terms.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: hireExample.expiresAt,
        data: { ...hireData, autoRenew: true, expiresAt: '2027-01-19T09:05:00.000Z' },
      },
    },
    'hire.expired': {
      meaning: 'A hire’s term ended and it was not renewed: without autoRenew, or its agent was not active.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: hireExample.expiresAt,
        data: { ...hireData, status: 'expired', endedAt: hireExample.expiresAt },
      },
    },
    'hire.terminated': {
      meaning: 'The hirer ended a hire.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: '2026-11-25T12:00:00.000Z',
        data: { ...hireData, status: 'terminated', endedAt: '2026-11-25T12:00:00.000Z' },
      },
    },
    'charge.recorded': {
      meaning: 'The agent’s owner has charged for its work.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: charge.createdAt, data: charge },
    },
    'charge.voided': {
      meaning: 'The agent’s owner has taken back a charge. Its period’s budget has the amount again.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: '2026-11-22T10:00:00.000Z', data: { ...charge, status: 'voided' } },
    },
    'charge.collected': {
      meaning: 'A charge was paid out of the hire’s budget account; `fee` of it to the treasury.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: '2026-11-22T10:00:00.000Z',
        data: { ...charge, status: 'collected', fee: 12_500_000 },
      },
    },
    'budget.low': {
      meaning: 'Four fifths of the budget of a hire’s period are spent. Once for each period.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: charge.createdAt, data: budget },
    },
    'budget.exhausted': {
      meaning:
        'The budget of a hire’s period is used up, or a charge was refused that is more than what remains. Once for each period.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: '2026-11-23T10:00:00.000Z',
        data: { ...budget, spent: hireExample.budgetLimit ?? 0, remaining: 0 },
      },
    },
    'budget.funded': {
      meaning: 'The hirer has put CRED into the hire’s budget account.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: '2026-11-20T10:00:00.000Z', data: moved },
    },
    'budget.withdrawn': {
      meaning: 'The hirer has emptied the hire’s budget account.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: '2026-11-24T10:00:00.000Z', data: moved },
    },
    'rating.given': {
      meaning: 'A hirer has rated a hire that it paid for.',
      log: bothSides,
      ofAgent: true,
      example: { timestamp: rating.createdAt, data: rating },
    },
    'rating.revised': {
      meaning: 'A hirer has revised its rating, which it may once.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: '2026-11-23T10:00:00.000Z',
        data: { ...rating, rating: 5, revisedAt: '2026-11-23T10:00:00.000Z' },
      },
    },
    'rating.answered': {
      meaning: 'The agent’s owner has answered a rating, which it may once.',
      log: bothSides,
      ofAgent: true,
      example: {
        timestamp: '2026-11-24T10:00:00.000Z',
        data: { ...rating, answer: 'Thank you.', answeredAt: '2026-11-24T10:00:00.000Z' },
      },
    },
    'vault.position_opened': {
      meaning: 'A stack has landed on the chain.',
      log: 'the owner’s',
      ofAgent: false,
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
      ofAgent: false,
      example: {
        timestamp: '2026-12-21T10:00:00.000Z',
        data: { ...POSITION, amount: 100_000_000_000 },
      },
    },
    'vault.yield_claimed': {
      meaning: 'A claim has landed. One event for all positions that it was paid from.',
      log: 'the owner’s',
      ofAgent: false,
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
      ofAgent: false,
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
      ofAgent: false,
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
    'attestation.revoked': {
      meaning:
        'The account on the chain that had proven an attestation is gone, has expired or proves it no more: it is rejected, at the level that it had before, and may be submitted again. `decidedBy` is the account.',
      log: 'its wallet’s',
      ofAgent: false,
      example: {
        timestamp: '2026-11-22T10:00:00.000Z',
        data: {
          attestationId: ATTESTATION_ID,
          credentialType: 'certification',
          credentialId: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx',
          verificationLevel: 'self_attested',
          decidedBy: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx',
          reason: 'The account on the chain does not prove it any more',
        },
      },
    },
    'pioneer.joined': {
      meaning: 'A wallet became a pioneer; `referrer` is who earned a bounty by it.',
      log: 'the pioneer’s and the referrer’s',
      ofAgent: false,
      example: {
        timestamp: '2026-11-20T11:00:00.000Z',
        data: { wallet: WALLET, tier: 'founding', referrer: OTHER_WALLET },
      },
    },
    'endpoint.disabled': {
      meaning:
        'Nothing is sent to an endpoint any more: it answered 410 (`gone`), or nothing with 2xx for five days (`failing`). What happens is held until it is enabled: by `enabled` of the endpoint, or by webhookUrl of the agent that `agentId` names, if it is an agent’s.',
      log: 'its owner’s',
      ofAgent: false,
      example: {
        timestamp: '2026-11-25T09:00:00.000Z',
        data: { endpointId: ENDPOINT_ID, url: 'https://example.com/hooks/agentcred', reason: 'failing' },
      },
    },
    'endpoint.test': {
      meaning: 'Its owner asked for a test of an endpoint. It goes to that endpoint alone.',
      log: 'its owner’s',
      ofAgent: false,
      example: {
        timestamp: '2026-11-25T10:00:00.000Z',
        data: { endpointId: ENDPOINT_ID },
      },
    },
  }
}
