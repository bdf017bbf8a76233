import * as v from 'valibot'
import { TRANSACTION, TRANSACTION_ID, WALLET } from '../../examples.ts'
import { intentFailures, intentKinds, intentStatuses, signings } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { body } from '../body.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { Quote } from './answers.ts'

/** The example of every kind of transaction, without its message. */
export const transactionExample: Omit<v.InferInput<typeof TransactionResponse>, 'message'> = {
  success: true,
  transaction: TRANSACTION,
  id: TRANSACTION_ID,
  signing: 'service_first',
  expiresAt: '2026-11-20T09:01:00.000Z',
  lastValidBlockHeight: 351_204_117,
}

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
export const TransactionResponse = body(
  'TransactionResponse',
  'A transaction that lacks only the caller’s signature.',
  {
    success: [v.literal(true), '`true`.'],
    transaction: [
      OwnText,
      'Base64 of the transaction (legacy format). With `service_first` the service has signed it, and any change invalidates it. With `wallet_first` nobody has signed it.',
    ],
    message: [OwnText, 'In words, what signing does and costs.'],
    id: [WireUuid, 'Use it to send the transaction and to read its status.'],
    signing: [
      v.picklist(signings),
      'Who signs first. A stake that the caller cannot fund yet is always `wallet_first`.',
    ],
    step: [
      v.optional(v.picklist(['stack', 'open_vault'])),
      'For a stake: `stack`, or `open_vault` before a first stake with `wallet_first`. Only the owner signs `open_vault`. Send it, and request the stake again after it has landed.',
    ],
    expiresAt: [
      Timestamp,
      'About when the network stops accepting it; with `wallet_first`, when the service stops signing it.',
    ],
    lastValidBlockHeight: [
      WireAmount,
      'The last block height at which it can be included; with `wallet_first`, for the blockhash that it was built with.',
    ],
    quote: [v.optional(Quote), 'For a stake, its terms and costs.'],
  },
)

export const VaultTransaction = body(
  'VaultTransaction',
  'The status of a transaction that the service built.',
  {
    id: [WireUuid, 'UUID.'],
    kind: [v.picklist(intentKinds), 'What it does.'],
    signing: [v.picklist(signings), 'Who signs it first.'],
    status: [
      v.picklist([...intentStatuses, 'unsigned']),
      '`unsigned` (`wallet_first`: the service has not signed it yet), `open` (signed; its outcome is not known yet), `landed` (it took effect on the chain), `expired` (it has no effect and never will) or `failed` (the owner’s account prevents it on the chain; see `reason`).',
    ],
    reason: [
      v.optional(v.picklist(intentFailures)),
      'Why it failed. `vault_foreign`: the vault’s address holds another account. `position_foreign`: the position’s address holds another account, or too small a balance. Both are reported when the stake can no longer land. `left_before_seen`: the stake landed and was withdrawn with the recovery key before the service saw it. `unproven`: the network did not show within a day whether the stake landed.',
    ],
    owner: [OwnText, 'The wallet that it was built for.'],
    positionIds: [
      v.array(v.pipe(v.number(), v.integer())),
      'The positions it concerns, once they are known.',
    ],
    positionId: [v.optional(v.pipe(v.number(), v.integer())), 'The position, when it is one.'],
    lastValidBlockHeight: [WireAmount, 'The last block height at which it can be included.'],
    signature: [
      v.optional(OwnText),
      'With `wallet_first`, after the service has signed it: its id on the network, in Base58.',
    ],
    createdAt: [Timestamp, 'When it was built.'],
    resolvedAt: [v.optional(Timestamp), 'When the service read its outcome.'],
  },
  {
    id: TRANSACTION_ID,
    kind: 'stack',
    signing: 'service_first',
    status: 'landed',
    owner: WALLET,
    positionId: 0,
    positionIds: [0],
    lastValidBlockHeight: 351_204_117,
    createdAt: '2026-11-20T09:00:00.500Z',
    resolvedAt: '2026-11-20T09:00:09.000Z',
  },
)
