import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { purchaseReference } from '../../lib/payments/chain/purchase.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { decodeMessage } from '../../lib/solana/decode-message.ts'
import { type Instruction, readonly } from '../../lib/solana/instruction.ts'
import { encodeMessage, type Message } from '../../lib/solana/message.ts'
import { memo } from '../../lib/solana/programs/memo.ts'
import { MEMO_PROGRAM, TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { decodeTransaction, encodeTransaction } from '../../lib/solana/transaction.ts'
import { donate, FINALITY_MS, mintOf, ownerTokensOf, perform, rowsOf } from '../support/chain.ts'
import { eventsOf } from '../support/events.ts'
import { flood } from '../support/flood.ts'
import { createPayer, type Payer } from '../support/payer.ts'
import { relayedInto, sendPast } from '../support/relayed.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { signAgain } from '../support/signatures.ts'
import { connectionOf, travel } from '../support/staker.ts'

/* Buying credit, over HTTP: a transfer to the treasury that wallet and service both sign. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

const CRED = 10 ** 9
const buy = (owner: Payer, amount: number) => owner.post('credit', { amount })
const creditOf = async (owner: Payer) => (await owner.call('GET', '/payments/credit')).body
const bought = async ({ call }: Payer) =>
  (await eventsOf(call)).filter(({ type }) => type === 'credit.bought').map(({ data }) => data)
const purchases = (owner: Payer) =>
  rowsOf(service, 'select amount from credit_purchases where owner = $1', owner.owner)
const refused = (answer: Answer): unknown => answer.body.code

const partsOf = (built: Answer) => {
  const decoded = decodeTransaction(String(built.body.transaction))
  const message = decoded && decodeMessage(decoded.message)
  if (!decoded || !message?.ok) throw new Error('no transaction')
  return { decoded, message: message.message }
}

/** The built transaction with another message. */
function withMessage(built: Answer, change: (message: Message) => void): Answer {
  const { decoded, message } = partsOf(built)
  change(message)
  const transaction = encodeTransaction({ ...decoded, message: encodeMessage(message) })
  return { ...built, body: { ...built.body, transaction } }
}

const instructionOf = ({ instructions }: Message, program: string): Instruction => {
  const found = instructions.find((one) => one.program === program)
  if (!found) throw new Error('no such instruction')
  return found
}

describe('credit', () => {
  it('is bought by a transfer to the treasury, and read by its owner alone', async () => {
    const owner = await createPayer(service, 20 * CRED)
    expect(await creditOf(owner)).toEqual({ balance: 0 })
    const built = await buy(owner, 5 * CRED)
    expect(built.body).toMatchObject({ success: true, kind: 'buy_credit' })
    expect(built.body.message).toMatch(/^Signing pays 5 CRED to the treasury .* which is not refundable\./)
    expect(await owner.status(built)).toMatchObject({ status: 'unsigned', credit: 5 * CRED, accounts: [] })
    const sent = await owner.relay(built)
    expect(sent.status).toBe(200)
    expect(await creditOf(owner)).toEqual({ balance: 0 })
    expect(await owner.status(built)).toMatchObject({
      status: 'landed',
      credit: 5 * CRED,
      signature: sent.body.signature,
    })
    expect(await creditOf(owner)).toEqual({ balance: 5 * CRED, lowBelow: CRED })
    expect(await owner.cred()).toBe(15n * BigInt(CRED))
    await owner.land(buy(owner, CRED))
    expect(await creditOf(owner)).toEqual({ balance: 6 * CRED, lowBelow: 1.2 * CRED })
    expect(await bought(owner)).toMatchObject([
      { owner: owner.owner, transactionId: built.body.id, amount: 5 * CRED, balance: 5 * CRED },
      { amount: CRED, balance: 6 * CRED },
    ])
    expect(await creditOf(await createPayer(service, 0))).toEqual({ balance: 0 })
    expect((await service.call('GET', '/payments/credit')).status).toBe(401)
  })

  it('is bought with at most a wallet’s tokens, also with guards that the wallet adds', async () => {
    const owner = await createPayer(service, CRED)
    expect(refused(await buy(owner, CRED + 1))).toBe('funds_short')
    for (const amount of [0, -1, 1.5, 2 ** 53]) {
      const answer = await buy(owner, amount)
      expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'amount' }] })
    }
    await owner.land(buy(owner, CRED), { guards: true, version: 0 })
    expect(await creditOf(owner)).toMatchObject({ balance: CRED })
  })

  it('is added once by job runs when nobody asks', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    await owner.relay(built)
    await service.runJobs('settlement')
    await service.runJobs('settlement')
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await creditOf(owner)).toMatchObject({ balance: CRED })
    expect(await purchases(owner)).toHaveLength(1)
    expect(await bought(owner)).toHaveLength(1)
  })

  it('is added once by concurrent callers that see it land', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    await owner.relay(built)
    await travel(service, 2_001)
    await Promise.all([
      ...Array.from({ length: 5 }, () => service.call('GET', `/payments/transactions/${built.body.id}`)),
      ...Array.from({ length: 5 }, () => owner.relay(built)),
      service.runJobs('settlement'),
    ])
    expect(await purchases(owner)).toEqual([[String(CRED)]])
    expect(await creditOf(owner)).toMatchObject({ balance: CRED })
  })
})

describe('a purchase', () => {
  it('is not signed when its amount, memo or reference changes', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    const less = withMessage(built, (message) => {
      const { data } = instructionOf(message, TOKEN_PROGRAM)
      data[1] = (data[1] ?? 0) - 1
    })
    const other = withMessage(built, (message) => {
      const { data } = instructionOf(message, MEMO_PROGRAM)
      const last = data.length - ' CRED'.length - 1
      data[last] = '9'.charCodeAt(0)
    })
    for (const changed of [less, other])
      expect(refused(await owner.relay(changed))).toBe('transaction_not_ours')
    const stranger = await createPayer(service, 20 * CRED)
    expect(refused(await stranger.relay(built))).toBe('transaction_not_found')
    await owner.relay(built)
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
  })

  it('that another wallet copies buys nothing for either wallet', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const stranger = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    await relayedInto(service, owner, built)
    // The same transfer to the treasury with the owner's reference and memo, of the stranger's own tokens.
    const { message } = partsOf(built)
    const { accounts, ...transfer } = instructionOf(message, TOKEN_PROGRAM)
    const [, mint, treasury] = accounts
    if (!mint || !treasury) throw new Error('no transfer')
    const source = parseAddress(await ownerTokensOf(service, stranger.owner))
    const strangers = parseAddress(stranger.owner)
    const reference = await purchaseReference(parseAddress(owner.owner), String(built.body.id))
    const text = new TextDecoder().decode(instructionOf(message, MEMO_PROGRAM).data)
    await perform(
      service,
      [stranger.keypair],
      [
        {
          ...transfer,
          accounts: [
            { address: source, isSigner: false, isWritable: true },
            readonly(mintOf(service)),
            treasury,
            { address: strangers, isSigner: true, isWritable: false },
            readonly(reference),
          ],
        },
        memo(text, strangers),
      ],
    )
    expect(await stranger.cred()).toBe(19n * BigInt(CRED))
    await travel(service, 100_000)
    expect(await owner.status(built)).toMatchObject({ status: 'expired' })
    for (const wallet of [owner, stranger]) expect(await creditOf(wallet)).toEqual({ balance: 0 })
    expect(await owner.cred()).toBe(20n * BigInt(CRED))
  })

  it('that is sent again buys once: the same message, and another of the same purchase', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    const sent = await owner.relay(built)
    expect((await owner.relay(built)).body).toEqual(sent.body)
    await travel(service, 1_000)
    expect(refused(await owner.relay(built, { guards: true, version: 0 }))).toBe('already_cosigned')
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect((await owner.relay(built)).body).toEqual(sent.body)
    expect(await purchases(owner)).toHaveLength(1)
    expect(await owner.cred()).toBe(19n * BigInt(CRED))
  })

  it('is credited when it lands late, past the relay', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    const sent = await relayedInto(service, owner, built)
    await travel(service, 40_000)
    await service.runJobs('settlement')
    expect(await creditOf(owner)).toEqual({ balance: 0 })
    await sendPast(service, sent)
    await travel(service, 400_000)
    await service.runJobs('settlement')
    expect(await creditOf(owner)).toMatchObject({ balance: CRED })
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
  })

  it('is found by its message under another signature, also with copied references', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await buy(owner, CRED)
    const sent = decodeTransaction(await relayedInto(service, owner, built))
    const [, cosignature] = sent?.signatures ?? []
    if (!sent || !cosignature) throw new Error('nothing was sent')
    const signatures = [signAgain(owner.keypair.secretKey, sent.message), cosignature]
    await sendPast(service, encodeTransaction({ signatures, message: sent.message }))
    const id = String(built.body.id)
    await flood(service, await purchaseReference(parseAddress(owner.owner), id), 30, id)
    await travel(service, 100_000)
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    for (let search = 0; search < 3; search += 1) await owner.status(built)
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await creditOf(owner)).toMatchObject({ balance: CRED })
    expect(await purchases(owner)).toHaveLength(1)
  })

  it('that nobody signs in five minutes, or that is never sent, expires at no cost', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const unsigned = await buy(owner, CRED)
    await travel(service, 300_001)
    const { blockhash } = await connectionOf(service).getLatestBlockhash()
    expect(refused(await owner.relay(unsigned, { blockhash }))).toBe('transaction_expired')
    const built = await buy(owner, CRED)
    expect((await service.call('GET', `/payments/transactions/${unsigned.body.id}`)).status).toBe(404)
    await relayedInto(service, owner, built)
    await travel(service, 100_000)
    expect(await owner.status(built)).toMatchObject({ status: 'expired' })
    expect(refused(await owner.relay(built))).toBe('transaction_expired')
    expect(await creditOf(owner)).toEqual({ balance: 0 })
    await travel(service, 8 * 86_400_000)
    await service.runJob('daily')
    expect((await service.call('GET', `/payments/transactions/${built.body.id}`)).status).toBe(404)
  })

  it('of a wallet that spends its tokens meanwhile fails, and buys nothing', async () => {
    const owner = await createPayer(service, CRED)
    const built = await buy(owner, CRED)
    const sent = await relayedInto(service, owner, built)
    const away = await createPayer(service, 1)
    await donate(service, owner, await ownerTokensOf(service, away.owner), 1n)
    await sendPast(service, sent)
    await travel(service, FINALITY_MS)
    expect(await owner.status(built)).toMatchObject({ status: 'failed', reason: 'failed_on_chain' })
    expect(await creditOf(owner)).toEqual({ balance: 0 })
  })

  it('that was not sent is replaced by the next, in any race', async () => {
    const owner = await createPayer(service, 20 * CRED)
    const built = await Promise.all(Array.from({ length: 6 }, () => buy(owner, CRED)))
    expect(built.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const open = await rowsOf(
      service,
      "select id from payment_intents where wallet = $1 and status = 'open'",
      owner.owner,
    )
    expect(open).toHaveLength(1)
  })
})
