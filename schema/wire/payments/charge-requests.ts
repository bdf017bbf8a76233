import * as v from 'valibot'
import { describeParameters } from '../../docs.ts'
import { AGENT_ID, CHARGE_ID, HIRE_ID } from '../../examples.ts'
import { chargeRoles, chargeStatuses } from '../../values.ts'
import { body, parameters } from '../body.ts'
import { Amount, Cursor, FIRST_LAYER, Integer, LAST_LAYER, PageLimit, Uuid } from '../common.ts'
import { Name } from '../text.ts'

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
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { role: 'owner', hireId: HIRE_ID, agentId: AGENT_ID, limit: '50' },
)
