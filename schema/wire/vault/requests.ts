import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { WALLET } from '../../examples.ts'
import { signings } from '../../values.ts'
import { AmountFrom, AmountParameter, Integer, WalletAddress } from '../common.ts'

const lockDays = [7, 30, 90, 180, 365] as const

export const VaultQuery = v.object({ owner: WalletAddress })

describeParameters(VaultQuery, { owner: 'The wallet.' }, { owner: WALLET })

/** Query of GET /vault/quote. */
export const QuoteQuery = v.object({
  amount: AmountParameter,
  lockDays: v.pipe(
    v.picklist(lockDays.map(String)),
    v.transform((days) => Number(days) as (typeof lockDays)[number]),
  ),
})

describeParameters(
  QuoteQuery,
  { amount: 'Base units of CRED (10^-9).', lockDays: 'The term.' },
  { amount: '1000000000', lockDays: '30' },
)

/** A position's index. PostgreSQL's integer is the limit. */
const PositionId = Integer(0, 2_147_483_647)

/** The order of signing; by default the service signs first. */
const SigningChoice = v.optional(v.picklist(signings), 'service_first')

const signingWords =
  '`service_first` (the default): the service has signed the transaction, and it must not be changed. `wallet_first`: nobody has signed it; sign it and send it to POST /vault/transactions within five minutes. For wallets that add instructions when they sign.'

/** Body of POST /vault/stack. */
export const StackRequest = v.strictObject({
  amount: AmountFrom(1),
  lockDays: v.picklist(lockDays),
  signing: SigningChoice,
})

describe(StackRequest, {
  name: 'StackRequest',
  description: 'A stake.',
  fields: {
    amount: 'Base units of CRED (10^-9), at least 1.',
    lockDays: '7, 30, 90, 180 or 365; determines the rate.',
    signing: signingWords,
  },
  example: { amount: 1_000_000_000, lockDays: 30 },
})

/** Body of POST /vault/unstack. */
export const UnstackRequest = v.strictObject({ positionId: PositionId, signing: SigningChoice })

describe(UnstackRequest, {
  name: 'UnstackRequest',
  description: 'A withdrawal.',
  fields: { positionId: 'Index of the position.', signing: signingWords },
  example: { positionId: 0 },
})

/** Body of POST /vault/leftovers. */
export const LeftoversRequest = v.strictObject({ positionId: PositionId, signing: SigningChoice })

describe(LeftoversRequest, {
  name: 'LeftoversRequest',
  description: 'Closes an account that a withdrawal left open.',
  fields: { positionId: 'Index of the withdrawn position.', signing: signingWords },
  example: { positionId: 0 },
})

/** Body of POST /vault/claim; without positionId for all positions. */
export const ClaimRequest = v.strictObject({
  positionId: v.optional(PositionId),
  signing: SigningChoice,
})

describe(ClaimRequest, {
  name: 'ClaimRequest',
  description: 'A payout of yield.',
  fields: { positionId: 'Index of the position; all of them when absent.', signing: signingWords },
  example: { positionId: 0 },
})
