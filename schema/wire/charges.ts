import * as v from 'valibot'
import { describeParameters, exampleOf } from '../docs.ts'
import { AGENT_ID, CHARGE_ID, HIRE_ID, OTHER_WALLET, WALLET } from '../examples.ts'
import { figure } from '../figures.ts'
import { chargeRoles, chargeStates, chargeStatuses } from '../values.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, pageOf, parameters } from './body.ts'
import {
  Amount,
  Cursor,
  FIRST_LAYER,
  Integer,
  LAST_LAYER,
  PageLimit,
  Timestamp,
  Uuid,
  WireAmount,
  WireUuid,
} from './common.ts'
import { Name, Prose } from './text.ts'
import { timeFilter } from './time-filter.ts'

/** The length of a charge's result, in code points. */
const MAX_RESULT_LENGTH = 2_000

/** Body of POST /payments/charges. The hire's fee model decides which amounts are required. */
export const ChargeRequest = body(
  'ChargeRequest',
  'Work for a hire. The amount follows from the hire’s fee, which was fixed when it began. flat: units × feeAmount. percentage: capturedValue × feeAmount / 10000, rounded down. hybrid: units × feeAmount + share. Unknown fields are rejected.',
  {
    hireId: [Uuid, 'The hire of one of your agents.'],
    reference: [
      Name(1, 128),
      'Your own name for it, unique for each agent. Repeating the request does not charge twice.',
    ],
    units: [v.optional(Amount), 'Number of units, with flat and hybrid; 1 when absent.'],
    capturedValue: [
      v.optional(Amount),
      'Lamports that the work brought the hirer, as you declare; with percentage, and with a share.',
    ],
    share: [v.optional(Amount), 'With hybrid: lamports of capturedValue that are due besides the units.'],
    layer: [
      v.optional(Integer(FIRST_LAYER, LAST_LAYER)),
      'The capture layer of the work; it must be enabled on the hire.',
    ],
    description: [v.optional(Name(1, 500)), 'For the hirer, up to 500 characters.'],
    result: [
      v.optional(v.pipe(Prose(MAX_RESULT_LENGTH), v.minLength(1))),
      `What the work produced, for the hirer: a text or an https link, up to ${figure(MAX_RESULT_LENGTH)} characters. The service never opens the link.`,
    ],
  },
  { hireId: HIRE_ID, reference: 'job-1042', capturedValue: 25_000_000_000, layer: 17 },
)

export const ChargePath = parameters({ id: [Uuid, 'The charge.'] }, { id: CHARGE_ID })

/** Query of GET /payments/charges. */
export const ChargeListQuery = v.pipe(
  v.object({
    role: v.picklist(chargeRoles),
    hireId: v.optional(Uuid),
    agentId: v.optional(Uuid),
    status: v.optional(v.picklist(chargeStatuses)),
    ...timeFilter.schemas,
    limit: PageLimit,
    cursor: v.optional(Cursor),
  }),
  v.forward(
    v.partialCheck(
      [['role'], ['hireId'], ['agentId']],
      ({ role, hireId, agentId }) => agentId === undefined || (role === 'owner' && hireId === undefined),
      'requires role owner, without hireId',
    ),
    ['agentId'],
  ),
)

describeParameters(
  ChargeListQuery,
  {
    role: 'Your side: `owner` of the agents, or `hirer`.',
    hireId: 'Only charges on this hire.',
    agentId: 'Only charges of this agent of yours; requires role owner, without hireId.',
    status:
      'Only charges with this status. `recorded` includes charges that are being collected or have lapsed.',
    ...timeFilter.meanings,
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { role: 'owner', hireId: HIRE_ID, agentId: AGENT_ID, limit: '50' },
)

export const Charge = body(
  'Charge',
  'What an agent’s owner has charged for its work on a hire.',
  {
    id: [WireUuid, 'UUID.'],
    hireId: [WireUuid, 'The hire.'],
    agentId: [WireUuid, 'The agent.'],
    agentName: [UserText, 'The agent’s name.'],
    owner: [OwnText, 'Who is paid: the agent’s owner.'],
    hirer: [OwnText, 'The hirer, who pays.'],
    reference: [
      UserText,
      'The owner’s own name for it, unique for each agent. A repeated request returns the same charge.',
    ],
    amount: [WireAmount, 'The CRED due, in lamports (10^-9 CRED).'],
    units: [v.optional(WireAmount), 'The number of units that are charged, with flat and hybrid.'],
    capturedValue: [
      v.optional(WireAmount),
      'Lamports that the work brought the hirer, as the owner declares.',
    ],
    share: [v.optional(WireAmount), 'The part of the amount that is a share of capturedValue, in lamports.'],
    layer: [
      v.optional(v.pipe(v.number(), v.integer())),
      'The capture layer of the work: the number of its field, 1 to 22.',
    ],
    description: [v.optional(UserText), 'What it is for, in the owner’s words.'],
    result: [
      v.optional(UserText),
      'What the work produced: a text or a link, unchecked. Only the two sides see it; events leave it out.',
    ],
    periodStart: [Timestamp, 'The start of the period (one term of the hire) whose budget it uses.'],
    status: [
      v.picklist(chargeStates),
      'recorded (due), collecting (in a transaction that may still land), collected (paid), voided, or lapsed (not collected within 30 days after the hire ended).',
    ],
    createdAt: [Timestamp, 'When it was recorded.'],
    voidedAt: [v.optional(Timestamp), 'When it was voided.'],
    collectedAt: [v.optional(Timestamp), 'When it was paid.'],
    fee: [
      v.optional(WireAmount),
      'Its part of the protocol fee, in lamports, once it was paid. The owner receives the rest of the amount.',
    ],
    signature: [v.optional(OwnText), 'The signature of the transaction that paid it.'],
  },
  {
    id: CHARGE_ID,
    hireId: HIRE_ID,
    agentId: AGENT_ID,
    agentName: 'Yield Scout',
    owner: OTHER_WALLET,
    hirer: WALLET,
    reference: 'job-1042',
    amount: 1_250_000_000,
    capturedValue: 25_000_000_000,
    layer: 17,
    periodStart: '2026-11-20T09:05:00.000Z',
    status: 'recorded',
    createdAt: '2026-11-21T10:00:00.000Z',
  },
)

export const chargeExample = exampleOf(Charge)

export const ChargeList = pageOf(['ChargeList', 'charges', 'One page of charges.'], Charge, [
  'Newest first.',
  'charges',
])
