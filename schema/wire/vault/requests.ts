import * as v from 'valibot'
import { WALLET } from '../../examples.ts'
import { signings } from '../../values.ts'
import { body, parameters } from '../body.ts'
import { AmountFrom, AmountParameter, Integer, WalletAddress } from '../common.ts'

const lockDays = [7, 30, 90, 180, 365] as const

export const VaultQuery = parameters({ owner: [WalletAddress, 'The wallet.'] }, { owner: WALLET })

/** Query of GET /vault/quote. */
export const QuoteQuery = parameters(
  {
    amount: [AmountParameter, 'Base units of CRED (10^-9).'],
    lockDays: [
      v.pipe(
        v.picklist(lockDays.map(String)),
        v.transform((days) => Number(days) as (typeof lockDays)[number]),
      ),
      'The term.',
    ],
  },
  { amount: '1000000000', lockDays: '30' },
)

/** A position's index. PostgreSQL's integer is the limit. */
const PositionId = Integer(0, 2_147_483_647)

/** The order of signing; by default the service signs first. */
const SigningChoice = v.optional(v.picklist(signings), 'service_first')

const signingWords =
  '`service_first` (the default): the service has signed the transaction, and it must not be changed. `wallet_first`: nobody has signed it; sign it and send it to POST /vault/transactions within five minutes. For wallets that add instructions when they sign.'

/** Body of POST /vault/stack. */
export const StackRequest = body(
  'StackRequest',
  'A stake.',
  {
    amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'],
    lockDays: [v.picklist(lockDays), '7, 30, 90, 180 or 365; determines the rate.'],
    signing: [SigningChoice, signingWords],
  },
  { amount: 1_000_000_000, lockDays: 30 },
)

/** Body of POST /vault/unstack. */
export const UnstackRequest = body(
  'UnstackRequest',
  'A withdrawal.',
  { positionId: [PositionId, 'Index of the position.'], signing: [SigningChoice, signingWords] },
  { positionId: 0 },
)

/** Body of POST /vault/leftovers. */
export const LeftoversRequest = body(
  'LeftoversRequest',
  'Closes an account that a withdrawal left open.',
  { positionId: [PositionId, 'Index of the withdrawn position.'], signing: [SigningChoice, signingWords] },
  { positionId: 0 },
)

/** Body of POST /vault/claim; without positionId for all positions. */
export const ClaimRequest = body(
  'ClaimRequest',
  'A payout of yield.',
  {
    positionId: [v.optional(PositionId), 'Index of the position; all of them when absent.'],
    signing: [SigningChoice, signingWords],
  },
  { positionId: 0 },
)
