import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { TRANSACTION, TRANSACTION_ID, WALLET } from '../../examples.ts'
import { intentFailures, intentKinds, intentStatuses, signings } from '../../values.ts'
import { OwnText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { Quote } from './answers.ts'

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.

export const TransactionResponse = v.strictObject({
  success: v.literal(true),
  transaction: OwnText,
  message: OwnText,
  id: WireUuid,
  signing: v.picklist(signings),
  step: v.optional(v.picklist(['stack', 'open_vault'])),
  expiresAt: Timestamp,
  lastValidBlockHeight: WireAmount,
  quote: v.optional(Quote),
})

/** The example of every kind of transaction, without its message. */
export const transactionExample: Omit<v.InferInput<typeof TransactionResponse>, 'message'> = {
  success: true,
  transaction: TRANSACTION,
  id: TRANSACTION_ID,
  signing: 'service_first',
  expiresAt: '2026-11-20T09:01:00.000Z',
  lastValidBlockHeight: 351_204_117,
}

describe(TransactionResponse, {
  name: 'TransactionResponse',
  description: 'A transaction that lacks only the caller’s signature.',
  fields: {
    success: '`true`.',
    transaction:
      'Base64 of the transaction (legacy format). With `service_first` the service has signed it, and any change invalidates it. With `wallet_first` nobody has signed it.',
    message: 'In words, what signing does and costs.',
    id: 'Use it to send the transaction and to read its status.',
    signing: 'Who signs first. A stake that the caller cannot fund yet is always `wallet_first`.',
    step: 'For a stake: `stack`, or `open_vault` before a first stake with `wallet_first`. Only the owner signs `open_vault`. Send it, and request the stake again after it has landed.',
    expiresAt:
      'About when the network stops accepting it; with `wallet_first`, when the service stops signing it.',
    lastValidBlockHeight:
      'The last block height at which it can be included; with `wallet_first`, for the blockhash that it was built with.',
    quote: 'For a stake, its terms and costs.',
  },
})

export const VaultTransaction = v.strictObject({
  id: WireUuid,
  kind: v.picklist(intentKinds),
  signing: v.picklist(signings),
  status: v.picklist([...intentStatuses, 'unsigned']),
  reason: v.optional(v.picklist(intentFailures)),
  owner: OwnText,
  positionIds: v.array(v.pipe(v.number(), v.integer())),
  positionId: v.optional(v.pipe(v.number(), v.integer())),
  lastValidBlockHeight: WireAmount,
  signature: v.optional(OwnText),
  createdAt: Timestamp,
  resolvedAt: v.optional(Timestamp),
})

describe(VaultTransaction, {
  name: 'VaultTransaction',
  description: 'The status of a transaction that the service built.',
  fields: {
    id: 'UUID.',
    kind: 'What it does.',
    signing: 'Who signs it first.',
    status:
      '`unsigned` (`wallet_first`: the service has not signed it yet), `open` (signed; its outcome is not known yet), `landed` (it took effect on the chain), `expired` (it has no effect and never will) or `failed` (the owner’s account prevents it on the chain; see `reason`).',
    reason:
      'Why it failed. `vault_foreign`: the vault’s address holds another account. `position_foreign`: the position’s address holds another account, or too small a balance. Both are reported when the stake can no longer land. `left_before_seen`: the stake landed and was withdrawn with the recovery key before the service saw it. `unproven`: the network did not show within a day whether the stake landed.',
    owner: 'The wallet that it was built for.',
    positionIds: 'The positions it concerns, once they are known.',
    positionId: 'The position, when it is one.',
    lastValidBlockHeight: 'The last block height at which it can be included.',
    signature: 'With `wallet_first`, after the service has signed it: its id on the network, in Base58.',
    createdAt: 'When it was built.',
    resolvedAt: 'When the service read its outcome.',
  },
  example: {
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
})
