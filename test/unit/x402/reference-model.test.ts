import type { Keypair } from '@solana/web3.js'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { LIGHTHOUSE_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import type { PaymentError } from '../../../lib/x402/checks/errors.ts'
import { checkPayment } from '../../../lib/x402/checks/payment.ts'
import { pick } from '../../support/message-changes.ts'
import { indexIn } from '../../support/raw-message.ts'
import { expectCounts, runs } from '../../support/runs.ts'
import {
  destination,
  feePayer,
  keyOf,
  mint,
  otherMint,
  owner,
  payer,
  rawPayment,
  requirementsWith,
  signedBy,
  source,
  stockPayment,
  stranger,
  terms,
  withTransaction,
} from '../../support/x402.ts'
import { paymentChanges } from '../../support/x402-changes.ts'
import { referenceReason } from '../../support/x402-reference.ts'

/**
 * Payments that we refuse and the reference accepts, each error with its reason. An error that is not listed
 * fails the test; payment.test.ts has an example of each.
 */
const BEYOND: Partial<Record<PaymentError, string>> = {
  undecodable: 'a message must encode to the same bytes again, so that what was checked is what is signed',
  other_signers: 'each further signature costs the fee payer 5,000 lamports',
  payer_is_owner: 'a payment to oneself would count for reputation',
  compute_limit_too_high: 'the network cuts it, the fee is charged for it',
  fee_too_high: 'the reference allows 7 SOL',
  no_compute_limit: 'bytes or accounts behind the limit',
  no_compute_price: 'bytes or accounts behind the price',
  no_transfer: 'bytes or accounts behind the transfer, an approver that is not the payer, Token-2022',
  fee_payer_named: 'the specification’s 2.1.1; the reference asks only who approves the transfer',
  source_is_destination: 'a delegate of the owner could pay the owner from the owner’s account',
  guard_not_allowed: 'guards that are no plain assertions',
  guard_names_others: 'guards that name others',
  too_many_guards: 'as in the vault',
  unknown_fourth: 'memos that name others',
  unknown_fifth: 'likewise',
  unknown_sixth: 'likewise',
  unknown_seventh: 'likewise',
  other_accounts: 'accounts that nobody names, and locks on accounts that are only read',
  memo_too_long: 'the specification’s limit, which the reference leaves to clients',
  requirements_malformed: 'a member of another type',
  not_a_price: 'the amount or asset is no price of the agent',
  other_agent: 'the key is another agent’s',
  other_owner: 'payTo is not the agent’s owner',
  memo_mismatch: 'a byte order mark, which the reference does not see',
}

type Case = { payload: PaymentPayload; requirements: PaymentRequirements }
const scenes: Case[] = []

beforeAll(async () => {
  // The reference logs what it can not decode.
  vi.spyOn(console, 'error').mockReturnValue()
  for (const extra of [{}, { memo: 'pi_3abc123def456' }]) {
    const requirements = requirementsWith(extra)
    const payload = await stockPayment(requirements)
    scenes.push({ payload, requirements })
    const guarded = rawPayment(payload)
    for (const account of [source, keyOf(payer)])
      guarded.instructions.push({
        program: indexIn(guarded, LIGHTHOUSE_PROGRAM),
        accounts: [indexIn(guarded, account)],
        data: [9, 0, 0, 0],
      })
    scenes.push({ payload: withTransaction(payload, signedBy([payer], guarded)), requirements })
  }
})

/** Compares the verdicts, and returns the verdict of AgentCred. */
async function compare({ payload, requirements }: Case): Promise<PaymentError | undefined> {
  const verdict = await checkPayment({ paymentPayload: payload, paymentRequirements: requirements }, terms)
  const reference = await referenceReason(payload, requirements)
  const note = JSON.stringify({ payload, requirements, reference })
  // The reference knows guards in the last four places only.
  if (verdict.ok && reference !== undefined) {
    const raw = rawPayment(payload)
    const bare = {
      ...raw,
      instructions: raw.instructions.filter(({ program }) => raw.keys[program] !== LIGHTHOUSE_PROGRAM),
    }
    expect(bare.instructions.length, note).toBeLessThan(raw.instructions.length)
    const set = withTransaction(payload, signedBy([payer], bare))
    expect(await referenceReason(set, requirements), note).toBeUndefined()
  } else if (verdict.ok) expect(reference, note).toBeUndefined()
  else if (reference === undefined) {
    expect(Object.keys(BEYOND), note).toContain(verdict.error)
  }
  return verdict.ok ? undefined : verdict.error
}

const TEXTS = [
  '',
  '0',
  '1',
  '250000',
  '250001',
  '0250000',
  ' 250000',
  '0x3d090',
  '250000.0',
  '7',
  'exact',
  'upto',
  'solana',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  terms.network,
  mint,
  otherMint,
  keyOf(owner),
  keyOf(payer),
  keyOf(feePayer),
  keyOf(stranger),
  destination,
  'pi_3abc123def456',
  '\ufeffpi_3abc123def456',
  'x'.repeat(257),
  '\ud800',
]
const VALUES: unknown[] = [
  ...TEXTS,
  undefined,
  null,
  0,
  1,
  2,
  250_000,
  true,
  {},
  [],
  { feePayer: keyOf(feePayer) },
]

/** Sets a member of the requirements, of their copy in the payload, or of the payload. */
function changeMember({ payload, requirements }: Case, a: number, b: number): void {
  const [holder, names] = pick<[object, string[]]>(
    [
      [requirements, ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra']],
      [requirements.extra ?? {}, ['feePayer', 'agentId', 'memo', 'paymentFlow', 'recentBlockhash']],
      [requirements.extra ?? {}, ['feePayer', 'memo', 'memo']],
      [payload.accepted ?? {}, ['scheme', 'network', 'amount', 'extra']],
      [payload, ['x402Version', 'accepted', 'payload', 'resource']],
    ],
    a,
  )
  Object.assign(holder, { [pick(names, a >> 4)]: pick(VALUES, b) })
}

const nat = fc.nat(1 << 24)
const changes = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(paymentChanges), 'member', 'member', 'member'), nat, nat, nat),
  { minLength: 1, maxLength: 3 },
)
const SIGNERS: Keypair[][] = [
  [payer],
  [payer],
  [payer, stranger],
  [payer, owner, stranger, feePayer],
  [owner],
  [],
]

describe('a payment that was changed and signed', () => {
  it('is refused when the published facilitator refuses it, else for a listed reason', async () => {
    const numRuns = runs(500, 50_000)
    const seen = { accepted: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.nat(SIGNERS.length - 1), changes, async (scene, signers, list) => {
        const changed = structuredClone(pick(scenes, scene))
        const raw = rawPayment(changed.payload)
        let payload = changed.payload
        for (const [name, a, b, c] of list) {
          if (name === 'member') changeMember(changed, a, b)
          else paymentChanges[name as keyof typeof paymentChanges]?.(raw, a, b, c)
        }
        if (list.some(([name]) => name !== 'member'))
          payload = withTransaction(payload, signedBy(pick(SIGNERS, signers), raw))
        const error = await compare({ ...changed, payload })
        seen[error ? 'refused' : 'accepted'] += 1
      }),
      { numRuns },
    )
    // Neither answer is a matter of course.
    expectCounts(seen, { few: { accepted: 43, refused: 457 }, many: { accepted: 4_395, refused: 45_605 } })
  })

  it('is refused under the old signature, for any changed byte', async () => {
    const scene = pick(scenes, 3)
    const bytes = Buffer.from(String(scene.payload.payload.transaction), 'base64')
    const accepted: number[] = []
    for (let at = 0; at < bytes.length; at += 1) {
      const other = Buffer.from(bytes)
      other[at] = (other[at] ?? 0) ^ 0xff
      const error = await compare({
        ...scene,
        payload: withTransaction(scene.payload, other.toString('base64')),
      })
      if (!error) accepted.push(at)
    }
    // The fee payer's own slot, which it signs over.
    expect(accepted).toEqual(Array.from({ length: 64 }, (_, index) => index + 1))
  })
})
