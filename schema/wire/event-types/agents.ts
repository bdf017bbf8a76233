import * as v from 'valibot'
import { HIRE_ID, WALLET } from '../../examples.ts'
import {
  agentStatuses,
  agentTypes,
  chargeRoles,
  expiryReasons,
  feeModels,
  hireStatuses,
} from '../../values.ts'
import { agentExample } from '../agents.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { hireExample } from '../hires.ts'
import { aboutAgent, BOTH_SIDES, exampleAgent, OWNER, row } from './row.ts'

const layers = () => v.array(v.pipe(v.number(), v.integer()))

/** A hire after the event. */
const hireEntries = () => ({
  hireId: WireUuid,
  ...aboutAgent(),
  wallet: OwnText,
  layersEnabled: layers(),
  budgetLimit: v.optional(WireAmount),
  autoRenew: v.boolean(),
  status: v.picklist(hireStatuses),
  hiredAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: v.optional(Timestamp),
})

export const agentEvents = {
  'agent.registered': row({
    data: v.strictObject({
      ...aboutAgent(),
      name: UserText,
      agentType: v.picklist(agentTypes),
      supportedLayers: layers(),
      feeModel: v.picklist(feeModels),
      feeAmount: WireAmount,
      status: v.picklist(agentStatuses),
    }),
    words: { meaning: 'An agent was registered.', log: OWNER, ofAgent: true },
    example: {
      timestamp: agentExample.registeredAt,
      data: {
        ...exampleAgent,
        name: agentExample.name,
        agentType: agentExample.agentType,
        supportedLayers: agentExample.supportedLayers,
        feeModel: agentExample.feeModel,
        feeAmount: agentExample.feeAmount,
        status: 'active',
      },
    },
  }),
  'agent.status_changed': row({
    data: v.strictObject({
      ...aboutAgent(),
      status: v.picklist(agentStatuses),
      previousStatus: v.picklist(agentStatuses),
      reason: v.optional(UserText),
    }),
    words: {
      meaning:
        'The owner or an operator changed an agent’s status. A suspension has the operator’s `reason`.',
      log: OWNER,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-21T08:00:00.000Z',
      data: { ...exampleAgent, status: 'suspended', previousStatus: 'active', reason: 'Phishing' },
    },
  }),
}

const hire = () => ({
  hireId: HIRE_ID,
  ...exampleAgent,
  wallet: WALLET,
  layersEnabled: hireExample.layersEnabled,
  budgetLimit: hireExample.budgetLimit,
  autoRenew: false,
  status: 'active' as const,
  hiredAt: hireExample.hiredAt,
  expiresAt: hireExample.expiresAt,
})

export const hireEvents = {
  'hire.created': row({
    data: v.strictObject(hireEntries()),
    words: { meaning: 'An agent was hired.', log: BOTH_SIDES, ofAgent: true },
    example: { timestamp: hireExample.hiredAt, data: hire() },
  }),
  'hire.renewed': row({
    data: v.strictObject(hireEntries()),
    words: {
      meaning:
        'A hire with autoRenew was renewed until `expiresAt`. After an outage of the service one event may cover several terms.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: hireExample.expiresAt,
      data: { ...hire(), autoRenew: true, expiresAt: '2027-01-19T09:05:00.000Z' },
    },
  }),
  'hire.expired': row({
    data: v.strictObject({ ...hireEntries(), reason: v.optional(v.picklist(expiryReasons)) }),
    words: {
      meaning:
        'A hire’s term ended without renewal: it has no autoRenew, its agent was not active, or it is unused. A hire is unused (`reason`) after three renewals in a row without a login of its hirer or a collected charge.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: hireExample.expiresAt,
      data: { ...hire(), status: 'expired', endedAt: hireExample.expiresAt },
    },
  }),
  'hire.terminated': row({
    data: v.strictObject({ ...hireEntries(), endedBy: v.picklist(chargeRoles) }),
    words: {
      meaning: 'The hirer or the agent’s owner (`endedBy`) ended a hire.',
      log: BOTH_SIDES,
      ofAgent: true,
    },
    example: {
      timestamp: '2026-11-25T12:00:00.000Z',
      data: { ...hire(), status: 'terminated', endedAt: '2026-11-25T12:00:00.000Z', endedBy: 'hirer' },
    },
  }),
}
