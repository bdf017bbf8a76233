import { createHash } from 'node:crypto'
import type { Keypair } from '@solana/web3.js'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  generatePaymentId,
} from '@x402/extensions/payment-identifier'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import { PAYMENT_ERRORS, type PaymentError } from '../../../lib/x402/checks/errors.ts'
import { checkPayment } from '../../../lib/x402/checks/payment.ts'
import type { PaymentTerms } from '../../../lib/x402/checks/requirements.ts'
import { USUAL_NETWORK_FEE } from '../../../lib/x402/rules.ts'
import { addWritable, indexIn, insertKey, type RawMessage } from '../../support/raw-message.ts'
import {
  AMOUNT,
  destination,
  feePayer,
  keyOf,
  mint,
  owner,
  payer,
  rawPayment,
  requirementsWith,
  signedBy,
  source,
  stockPayment,
  stranger,
  terms,
  transactionOf,
  withTransaction,
} from '../../support/x402.ts'
import { referenceReason } from '../../support/x402-reference.ts'

// The reference logs what it can not decode.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
afterEach(() => void vi.restoreAllMocks())

const check = (paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements, asked = terms) =>
  checkPayment({ paymentPayload, paymentRequirements }, asked)

const MEMO = 'pi_3abc123def456'
type Change = (message: RawMessage) => void

/** Puts an instruction at the end. */
const append = (message: RawMessage, program: string, accounts: string[], data: number[]): void => {
  const indexes = accounts.map((account) => indexIn(message, account))
  message.instructions.push({ program: indexIn(message, program), accounts: indexes, data })
}
const guard = (message: RawMessage, index: number, ...accounts: string[]) =>
  append(message, LIGHTHOUSE_PROGRAM, accounts, [index, 0, 0])
const note = (message: RawMessage, accounts: string[], text = 'x') =>
  append(message, MEMO_PROGRAM, accounts, [...Buffer.from(text)])

async function changed(change: Change, signers: Keypair[] = [payer], extra: Record<string, unknown> = {}) {
  const requirements = requirementsWith(extra)
  const stock = await stockPayment(requirements)
  const raw = rawPayment(stock)
  change(raw)
  return { requirements, payload: withTransaction(stock, signedBy(signers, raw)) }
}

/** The error that we see, and whether the published facilitator sees one. */
async function verdicts({ payload, requirements }: Awaited<ReturnType<typeof changed>>) {
  const verdict = await check(payload, requirements)
  const reason = await referenceReason(payload, requirements)
  return [verdict.ok ? undefined : verdict.error, reason === undefined ? 'accepted' : 'refused'] as const
}

describe('a payment of the published client', () => {
  it.each([{}, { memo: MEMO }])('is accepted with %o, and read', async (extra) => {
    const requirements = requirementsWith(extra)
    const payload = await stockPayment(requirements)
    const verdict = await check(payload, requirements)
    expect(verdict).toMatchObject({
      ok: true,
      payment: {
        payer: keyOf(payer),
        source,
        destination,
        price: { asset: mint, amount: 250_000n },
        networkFee: USUAL_NETWORK_FEE,
        blockhash: rawPayment(payload).blockhash,
      },
    })
    expect(await referenceReason(payload, requirements)).toBeUndefined()
  })

  it('has one identity, for any bytes in the fee payer’s signature slot', async () => {
    const requirements = requirementsWith()
    const payload = await stockPayment(requirements)
    const bytes = Buffer.from(transactionOf(payload), 'base64').fill(9, 1, 65)
    const [one, other] = [
      await check(payload, requirements),
      await check(withTransaction(payload, bytes.toString('base64')), requirements),
    ]
    if (!one.ok || !other.ok) expect.fail('refused')
    expect(other.payment.messageHash).toBe(one.payment.messageHash)
    expect(one.payment.messageHash).toMatch(/^[0-9a-f]{64}$/)
  })

  const additions: [string, Change][] = [
    [
      'three guards, as Phantom adds',
      (m) => [source, source, keyOf(payer)].forEach((key) => void guard(m, 9, key)),
    ],
    ['a guard about the mint', (m) => guard(m, 7, mint)],
    ['a memo that the payer signs', (m) => note(m, [keyOf(payer)])],
    [
      'a legacy message',
      (m) => {
        m.version = undefined
        m.tail = []
      },
    ],
  ]
  it.each(additions)('is accepted with %s', async (_, change) => {
    expect(await verdicts(await changed(change))).toEqual([undefined, 'accepted'])
  })
})

describe('guards of a wallet are set aside', () => {
  const moveTo = (m: RawMessage, place: number, ...guards: string[]) => {
    for (const account of guards) {
      guard(m, 9, account)
      const last = m.instructions.pop()
      if (last) m.instructions.splice(place, 0, last)
    }
  }
  it.each([
    ['before the limit', 0, [source]],
    ['before the price', 1, [keyOf(payer)]],
    ['before the transfer', 2, [source]],
    ['around all others', 0, [source, mint, source]],
    ['after the memo, four of them', 4, [source, source, keyOf(payer), mint]],
    ['after the memo, eight of them', 4, [...'12345678'].map(() => source)],
  ])('when they are %s', async (_, place, accounts) => {
    const guarded = await changed((m) => moveTo(m, place, ...accounts), [payer], { memo: MEMO })
    expect(await verdicts(guarded)).toEqual([undefined, 'refused'])
    expect(await check(guarded.payload, guarded.requirements)).toMatchObject({
      payment: { payer: keyOf(payer), source, networkFee: 10_001n },
    })
  })
})

describe('a payment is refused by both', () => {
  const attacks: [string, PaymentError, Change, Keypair[]?][] = [
    ['of less', 'amount_mismatch', (m) => void m.instructions[2]?.data.splice(1, 1, 143)],
    ['with a transfer before its place', 'no_compute_limit', (m) => void m.instructions.reverse()],
    ['without a memo that is asked for', 'instructions_length', (m) => void m.instructions.splice(2)],
    ['with more instructions', 'instructions_length', (m) => [1, 2, 3, 4].forEach(() => void note(m, []))],
    ['with nine guards', 'too_many_guards', (m) => [...'123456789'].forEach(() => void guard(m, 9, source))],
    [
      'to another account',
      'recipient_mismatch',
      (m) => void m.keys.splice(m.keys.indexOf(destination), 1, keyOf(stranger)),
    ],
    ['of another mint', 'mint_mismatch', (m) => void m.keys.splice(m.keys.indexOf(mint), 1, keyOf(stranger))],
    ['with another program behind', 'unknown_fifth', (m) => append(m, keyOf(stranger), [], [])],
    ['with two memos where one is asked for', 'memo_count', (m) => note(m, [])],
    ['with another memo', 'memo_mismatch', (m) => void m.instructions[3]?.data.reverse()],
    ['of another fee payer', 'fee_payer_mismatch', (m) => void m.keys.splice(0, 1, keyOf(stranger))],
    ['that nobody has signed', 'signature_invalid', () => {}, []],
    ['from the fee payer', 'fee_payer_named', (m) => void m.instructions[2]?.accounts.splice(3, 1, 0)],
    ['with lookup tables', 'lookup_tables', (m) => void m.tail.splice(0, 1, 1, ...Buffer.alloc(32), 1, 0, 0)],
  ]
  it.each(attacks)('%s', async (_, error, change, signers) => {
    expect(await verdicts(await changed(change, signers, { memo: MEMO }))).toEqual([error, 'refused'])
  })
})

describe('a payment that the published facilitator accepts is refused', () => {
  const limit = (units: number[]) => (m: RawMessage) => void m.instructions[0]?.data.splice(1, 4, ...units)
  const attacks: [string, PaymentError, Change, Keypair[]?][] = [
    [
      'with a third signer',
      'other_signers',
      (m) => {
        insertKey(m, keyOf(stranger), 2)
        m.header[0] += 1
        m.header[1] += 1
      },
      [payer, stranger],
    ],
    ['of the owner to itself', 'payer_is_owner', (m) => void m.keys.splice(1, 1, keyOf(owner)), [owner]],
    ['of more units than there are', 'compute_limit_too_high', limit([0xc1, 0x5c, 0x15, 0])],
    [
      'with a fee of 20,001 lamports',
      'fee_too_high',
      (m) => {
        limit([0x11, 0x27, 0, 0])(m)
        m.instructions[1]?.data.splice(1, 8, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0)
      },
    ],
    ['with bytes behind the limit', 'no_compute_limit', (m) => void m.instructions[0]?.data.push(0)],
    ['with accounts of the price', 'no_compute_price', (m) => void m.instructions[1]?.accounts.push(1)],
    ['with a fifth account of the transfer', 'no_transfer', (m) => void m.instructions[2]?.accounts.push(1)],
    [
      'approved by another signer',
      'no_transfer',
      (m) => void m.instructions[2]?.accounts.splice(3, 1, m.keys.indexOf(mint)),
    ],
    ['with a memo that names the fee payer', 'fee_payer_named', (m) => note(m, [keyOf(feePayer)])],
    ['with a guard that names the fee payer', 'fee_payer_named', (m) => guard(m, 5, keyOf(feePayer))],
    [
      'from the account that it goes to',
      'source_is_destination',
      (m) => {
        m.instructions[2]?.accounts.splice(0, 1, m.keys.indexOf(destination))
      },
    ],
    ['with a clock’s guard', 'guard_not_allowed', (m) => guard(m, 15, source)],
    ['with a guard that writes memory', 'guard_not_allowed', (m) => guard(m, 0, source)],
    ['with a guard about a vote account', 'guard_names_others', (m) => guard(m, 5, keyOf(stranger))],
    [
      'with a guard about the owner’s account',
      'guard_names_others',
      (m) => {
        note(m, [])
        guard(m, 9, destination)
      },
    ],
    ['with a memo that another account signs', 'unknown_fifth', (m) => note(m, [source])],
    [
      'with a third such',
      'unknown_sixth',
      (m) => {
        note(m, [])
        note(m, [source])
      },
    ],
    [
      'with a lock on an account that is only read',
      'other_accounts',
      (m) => {
        m.header[2] -= 1
      },
    ],
    ['with an account that nobody names', 'other_accounts', (m) => void addWritable(m, keyOf(stranger))],
    [
      'with an address twice',
      'undecodable',
      (m) => {
        indexIn(m, keyOf(stranger))
        m.keys.splice(-1, 1, mint)
      },
    ],
    [
      'with a byte order mark before the memo',
      'memo_mismatch',
      (m) => void m.instructions[3]?.data.unshift(0xef, 0xbb, 0xbf),
    ],
  ]
  it.each(attacks)('%s', async (_, error, change, signers) => {
    expect(
      await verdicts(await changed(change, signers, { memo: error === 'memo_mismatch' ? MEMO : undefined })),
    ).toEqual([error, 'accepted'])
  })
})

describe('a payload of x402 version 1', () => {
  it('is refused by its version when it has neither `accepted` nor `payload`', async () => {
    const { payload } = await stockPayment(requirementsWith())
    const first = { x402Version: 1, scheme: 'exact', network: 'solana', payload } as unknown as PaymentPayload
    expect(await check(first, requirementsWith())).toMatchObject({
      ok: false,
      reason: 'invalid_x402_version',
    })
    expect(await check({ x402Version: 1 } as never, requirementsWith())).toMatchObject({
      reason: 'invalid_x402_version',
    })
  })
})

describe('requirements', () => {
  const wrong: [string, PaymentError, Record<string, unknown>, Record<string, unknown>?][] = [
    ['of another scheme', 'unsupported_scheme', { scheme: 'upto' }],
    ['of another network', 'network_mismatch', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['of another owner', 'other_owner', { payTo: keyOf(stranger) }],
    ['of an amount that is no price', 'not_a_price', { amount: '250001' }],
    ['of a price spelt otherwise', 'not_a_price', { amount: '0250000' }],
    ['of another asset', 'not_a_price', { asset: keyOf(stranger) }],
    ['of a number', 'requirements_malformed', { amount: 250_000 }],
    ['without extra', 'requirements_malformed', { extra: undefined }],
    ['without a fee payer', 'missing_fee_payer', {}, { feePayer: undefined }],
    ['of another fee payer', 'other_fee_payer', {}, { feePayer: keyOf(stranger) }],
    ['of another agent', 'other_agent', {}, { agentId: '0199a3c0-0000-7000-8000-000000000002' }],
    ['with a long memo', 'memo_too_long', {}, { memo: 'ä'.repeat(129) }],
  ]
  it.each(wrong)('%s are refused', async (_, error, members, extra) => {
    const asked = requirementsWith()
    const payload = await stockPayment(asked)
    const requirements = { ...asked, extra: { ...asked.extra, ...extra }, ...members } as PaymentRequirements
    expect(await check(payload, requirements)).toMatchObject({
      ok: false,
      error,
      reason: PAYMENT_ERRORS[error][0],
    })
  })

  it('are refused when the payer pays itself, which the published facilitator takes', async () => {
    const { payload, requirements } = await changed(({ instructions: [, , transfer], keys }) => {
      transfer?.accounts.splice(2, 1, keys.indexOf(source))
      keys.splice(keys.indexOf(destination), 1, keyOf(stranger))
    })
    expect(await verdicts({ payload, requirements: { ...requirements, payTo: keyOf(payer) } })).toEqual([
      'other_owner',
      'accepted',
    ])
  })

  it('of another scheme or network in the payload are the payer’s, not the server’s', async () => {
    const asked = requirementsWith()
    const payload = await stockPayment(asked)
    const accepting = (changes: object) => ({ ...payload, accepted: { ...payload.accepted, ...changes } })
    expect(await check(accepting({ scheme: 'upto' }), asked)).toMatchObject({ error: 'scheme_mismatch' })
    expect(await check(accepting({ network: 'solana:x' as const }), asked)).toMatchObject({
      error: 'network_mismatch',
    })
  })

  it('may have members that the service did not give', async () => {
    const asked = requirementsWith({ recentBlockhash: 'nonsense', features: { any: true } })
    const payload = await stockPayment({ ...asked, extra: { ...asked.extra, more: 1 } })
    expect(await check({ ...payload, extensions: { any: {} } }, asked)).toMatchObject({ ok: true })
  })

  it.each([undefined, null, 1, 'text', [], {}, { x402Version: 2 }])(
    'a payload of %o is refused',
    async (payload) => {
      const verdict = await checkPayment(
        { paymentPayload: payload, paymentRequirements: requirementsWith() },
        terms,
      )
      expect(verdict).toMatchObject({ ok: false, reason: 'invalid_payload' })
    },
  )
})

describe('the name of a price', () => {
  const price = (name: string, amount = AMOUNT) => ({ name, asset: mint, amount })
  const nameOf = async (prices: PaymentTerms['prices'], priceName?: unknown) => {
    const asked = requirementsWith({ priceName })
    const verdict = await check(await stockPayment(asked), asked, { ...terms, prices })
    return verdict.ok ? verdict.payment.price.name : verdict.error
  }

  it('is the named one if amount and asset agree, else the only one, else none', async () => {
    const [one, two, dear] = [price('one'), price('two'), price('dear', AMOUNT + 1n)]
    expect(await nameOf([one, two], 'two')).toBe('two')
    expect(await nameOf([one, dear])).toBe('one')
    expect(await nameOf([one, dear], 'dear')).toBe('one')
    for (const other of [undefined, null, 'three', 1, ['one'], {}])
      expect(await nameOf([one, two], other)).toBeUndefined()
    expect(await nameOf([one, two, dear], 'dear')).toBeUndefined()
    expect(await nameOf([dear], 'dear')).toBe('not_a_price')
  })
})

describe('the extension payment-identifier', () => {
  const identified = async (extension: unknown) => {
    const asked = requirementsWith()
    const payload = { ...(await stockPayment(asked)), extensions: { 'payment-identifier': extension } }
    const verdict = await check(payload, asked)
    return verdict.ok ? verdict.payment.identifierHash : verdict.error
  }

  it('is hashed, and ignored without an id', async () => {
    const declared = declarePaymentIdentifierExtension()
    const id = generatePaymentId()
    const extensions = appendPaymentIdentifierToExtensions({ 'payment-identifier': declared }, id)
    expect(await identified(extensions['payment-identifier'])).toBe(
      createHash('sha256').update(id).digest('hex'),
    )
    for (const without of [
      declarePaymentIdentifierExtension(true),
      undefined,
      null,
      'text',
      [],
      { info: null },
    ])
      expect(await identified(without)).toBeUndefined()
  })

  it('is refused with an id that the published package does not make', async () => {
    for (const id of [
      null,
      16,
      '',
      'x'.repeat(15),
      'x'.repeat(129),
      'payment one two 3',
      `${'x'.repeat(16)}\n`,
    ])
      expect([id, await identified({ info: { required: false, id } })]).toEqual([id, 'identifier_malformed'])
    expect(await identified({ info: { required: false, id: 'x'.repeat(128) } })).toMatch(/^[0-9a-f]{64}$/)
  })
})
