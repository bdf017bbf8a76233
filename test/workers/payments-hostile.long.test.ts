import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectorAccount } from '../../lib/payments/chain/collector.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { decodeMessage } from '../../lib/solana/decode-message.ts'
import { readonly, signer, writable } from '../../lib/solana/instruction.ts'
import { encodeMessage } from '../../lib/solana/message.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { createAccountWithSeed } from '../../lib/solana/programs/system.ts'
import {
  approveChecked,
  initializeMultisig2,
  revoke,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { decodeTransaction, encodeTransaction } from '../../lib/solana/transaction.ts'
import { addressOf, FINALITY_MS, mintOf, ownerTokensOf, perform, rowsOf } from '../support/chain.ts'
import { flood } from '../support/flood.ts'
import { createAgent, createHirer, createPayer, hireAgent, type Payer } from '../support/payer.ts'
import { relayedInto, sendPast } from '../support/relayed.ts'
import { type Answer, type Body, type Fault, type Service, startService } from '../support/service.ts'
import { signAgain } from '../support/signatures.ts'
import { connectionOf, ONE, rpc, travel } from '../support/staker.ts'

/* Attacks by each side on the other and on the service, over HTTP. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

/** The Token program's instruction. */
const TRANSFER_CHECKED = 12
const refused = (answer: Answer): unknown => answer.body.code

/** An agent with one hirer, whose budget account holds so much, and a charge of so much. */
async function charged(funds = 10, amount = 4) {
  const { owner, agentId } = await createAgent(service)
  const { hirer, hireId } = await createHirer(service, agentId, funds)
  const charge = await owner.charge(hireId, amount)
  return { owner, hirer, agentId, hireId, charge }
}

/** The message, by which the first transfer moves one lamport more. */
function takingOneMore(message: Uint8Array<ArrayBuffer>) {
  const decoded = decodeMessage(message)
  if (!decoded.ok) throw new Error(decoded.error)
  const transfer = decoded.message.instructions.find(({ data }) => data[0] === TRANSFER_CHECKED)
  if (!transfer) throw new Error('no transfer')
  transfer.data[1] = (transfer.data[1] ?? 0) + 1
  return encodeMessage(decoded.message)
}

const stateOf = async (owner: Payer, charge: Body): Promise<unknown> => {
  const { body } = await owner.call('GET', '/payments/charges?role=owner&limit=100')
  return (body.charges as Body[]).find(({ id }) => id === charge.id)?.status
}

describe('a transaction', () => {
  it('is visible to its two sides only, and accepted only as it was built', async () => {
    const { owner, hirer } = await charged()
    const built = await owner.collect()
    const stranger = await createPayer(service)
    expect(refused(await stranger.relay(built))).toBe('transaction_not_found')
    expect(refused(await hirer.relay(built))).toBe('transaction_not_found')
    const other = await hirer.withdraw(
      (await createHirer(service, (await createAgent(service)).agentId)).hireId,
    )
    expect(refused(other)).toBe('hire_not_found')
    const decoded = decodeTransaction(String(built.body.transaction))
    if (!decoded) throw new Error('no transaction')
    const more = encodeTransaction({ ...decoded, message: takingOneMore(decoded.message) })
    const changed = { ...built, body: { ...built.body, transaction: more } }
    expect(refused(await owner.relay(changed))).toBe('transaction_not_ours')
    expect(refused(await owner.post('transactions', { id: built.body.id, transaction: 'AAAA' }))).toBe(
      'transaction_not_ours',
    )
    expect((await owner.relay(built)).status).toBe(200)
  })

  it('is one message, ever: the same again is sent again, another is refused', async () => {
    const { owner } = await charged()
    const built = await owner.collect()
    const sent = await owner.relay(built)
    expect((await owner.relay(built)).body).toEqual(sent.body)
    await travel(service, 1_000)
    expect(refused(await owner.relay(built, { guards: true, version: 0 }))).toBe('already_cosigned')
    expect(await owner.status(built)).toMatchObject({ status: 'landed', signature: sent.body.signature })
    expect((await owner.relay(built)).body).toEqual(sent.body)
  })

  it('is not signed after five minutes, and frees its charges, before any job run', async () => {
    const { owner, charge, hireId } = await charged()
    await owner.charge(hireId, 3)
    const built = await owner.collect()
    expect(await stateOf(owner, charge)).toBe('collecting')
    expect(refused(await owner.call('POST', `/payments/charges/${charge.id}/void`))).toBe(
      'charge_not_voidable',
    )
    await travel(service, 300_001)
    const { blockhash } = await connectionOf(service).getLatestBlockhash()
    expect(refused(await owner.relay(built, { blockhash }))).toBe('transaction_expired')
    expect(await owner.status(built)).toMatchObject({ status: 'expired' })
    expect((await owner.call('POST', `/payments/charges/${charge.id}/void`)).status).toBe(200)
    // The other one is due again.
    expect((await owner.collect()).body.collection).toMatchObject({ amount: 3, charges: 1 })
  })

  it('that was not sent is replaced by the next of the same charges', async () => {
    const { owner, hireId } = await charged()
    const first = await owner.collect()
    await owner.charge(hireId, 3)
    const second = await owner.collect()
    expect(second.body.collection).toMatchObject({ amount: 7, charges: 2 })
    expect(refused(await owner.relay(first))).toBe('transaction_not_found')
    await owner.relay(second)
    expect(await owner.status(second)).toMatchObject({ status: 'landed' })
  })

  it('is sent on repetition when its answer was lost, and lands once', async () => {
    const { owner, charge } = await charged()
    const built = await owner.collect()
    await relayedInto(service, owner, built)
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    expect((await owner.relay(built)).status).toBe(200)
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await stateOf(owner, charge)).toBe('collected')
  })

  it('expires when it never reached the network, and its charges are collected once', async () => {
    const { owner, hirer, hireId } = await charged(10, 4)
    const built = await owner.collect()
    await relayedInto(service, owner, built)
    await travel(service, 100_000)
    expect(await owner.status(built)).toMatchObject({ status: 'expired' })
    expect(refused(await owner.relay(built))).toBe('transaction_expired')
    await owner.land(owner.collect())
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 6, unpaid: 0 })
  })

  it('that landed under another signature of the same message is found, and paid once', async () => {
    const { owner, hirer, hireId } = await charged(10, 4)
    const built = await owner.collect()
    const sent = decodeTransaction(await relayedInto(service, owner, built))
    if (!sent) throw new Error('nothing was sent')
    const [, cosignature] = sent.signatures
    const signatures = [
      signAgain(owner.keypair.secretKey, sent.message),
      ...(cosignature ? [cosignature] : []),
    ]
    await sendPast(service, encodeTransaction({ signatures, message: sent.message }))
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 6, unpaid: 4 })
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    await travel(service, 100_000)
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 6, unpaid: 0 })
  })

  it('hidden among others of the same account is found automatically, and paid once', async () => {
    const { owner, hirer, hireId } = await charged(10, 4)
    const built = await owner.collect()
    const sent = decodeTransaction(await relayedInto(service, owner, built))
    if (!sent) throw new Error('nothing was sent')
    const [, cosignature] = sent.signatures
    const again = signAgain(owner.keypair.secretKey, sent.message)
    const signatures = [again, ...(cosignature ? [cosignature] : [])]
    await sendPast(service, encodeTransaction({ signatures, message: sent.message }))
    const { address } = (await hirer.budget(hireId)) ?? {}
    await flood(service, String(address), 60, String(built.body.id))
    await travel(service, 100_000)
    // Twenty calls a search; each goes on where the one before it was cut short.
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    for (let search = 0; search < 3; search += 1) {
      await travel(service, 2_001)
      await owner.status(built)
    }
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 6, unpaid: 0 })
  })

  it('stays open while the node’s history does not reach back to its building', async () => {
    const { owner } = await charged()
    const built = await owner.collect()
    await relayedInto(service, owner, built)
    await travel(service, 100_000)
    const pruned: Fault = async (request) => {
      const { method } = (await request.clone().json()) as { method: string }
      if (method === 'getSignaturesForAddress') return Response.json({ jsonrpc: '2.0', id: 1, result: [] })
      return service.solana.outbound(request) ?? new Response(null)
    }
    await service.withRpcFault(pruned, () => service.runJobs('settlement'))
    expect(await service.withRpcFault(pruned, () => owner.status(built))).toMatchObject({ status: 'open' })
    await expect.poll(() => service.logs.texts.join()).toContain(`"unprovenCollection":"${built.body.id}"`)
    // Nobody asks for as long again as it has waited, even if the node could answer by now.
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    await travel(service, 110_000)
    expect(await owner.status(built)).toMatchObject({ status: 'expired' })
  })

  it('frees its charges when it fails on the chain; accounts are then collected alone', async () => {
    const { owner, agentId } = await createAgent(service)
    const [one, two] = [await createHirer(service, agentId, 10), await createHirer(service, agentId, 10)]
    for (const { hireId } of [one, two]) await owner.charge(hireId, 5)
    const built = await owner.collect()
    expect(built.body.collection).toMatchObject({ accounts: 2, amount: 10 })
    const sent = await relayedInto(service, owner, built)
    await one.hirer.land(one.hirer.withdraw(one.hireId))
    await sendPast(service, sent)
    // A failure counts once it is final: a block that is dropped would let the message land again.
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    await travel(service, FINALITY_MS)
    expect(await owner.status(built)).toMatchObject({ status: 'failed', reason: 'failed_on_chain' })
    await one.hirer.land(one.hirer.fund(one.hireId, 10))
    for (const accounts of [1, 1]) {
      const alone = await owner.land(owner.collect())
      expect(alone.body.collection).toMatchObject({ accounts, amount: 5 })
    }
    for (const { hireId } of [one, two]) await owner.charge(hireId, 1)
    expect((await owner.land(owner.collect())).body.collection).toMatchObject({ accounts: 2 })
  })
})

describe('a collection', () => {
  it('is settled by the settlement Worker where nobody asks', async () => {
    const { owner, charge } = await charged()
    await owner.relay(await owner.collect())
    await service.runJobs('settlement')
    expect(await stateOf(owner, charge)).toBe('collected')
  })

  it('is not built for a suspended agent, and not signed once it is suspended', async () => {
    const { owner, agentId, charge } = await charged()
    const built = await owner.collect()
    await rowsOf(service, "update agents set status = 'suspended' where id = $1", agentId)
    expect(refused(await owner.relay(built))).toBe('agent_suspended')
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    await rowsOf(service, "update agents set status = 'active' where id = $1", agentId)
    // Signed before, and lost: it is not signed again either.
    await relayedInto(service, owner, built)
    await rowsOf(service, "update agents set status = 'suspended' where id = $1", agentId)
    expect(refused(await owner.relay(built))).toBe('agent_suspended')
    await rowsOf(service, "update agents set status = 'active' where id = $1", agentId)
    expect((await owner.relay(built)).status).toBe(200)
    await owner.status(built)
    expect(await stateOf(owner, charge)).toBe('collected')
  })

  it('takes nothing that has lapsed, and pays what was charged before the hire ended', async () => {
    const { owner, hirer, hireId } = await charged(10, 4)
    expect((await hirer.call('DELETE', `/agents/hire?id=${hireId}`)).status).toBe(200)
    await owner.land(owner.collect())
    const late = await charged(10, 4)
    await late.hirer.call('DELETE', `/agents/hire?id=${late.hireId}`)
    await travel(service, 31 * 86_400_000)
    for (const side of [late.owner, late.hirer]) await side.signInAgain()
    expect(refused(await late.owner.collect())).toBe('nothing_to_collect')
    expect(refused(await late.hirer.fund(late.hireId, 1))).toBe('hire_over')
    await late.hirer.land(late.hirer.withdraw(late.hireId))
  })

  it('takes nothing after the hirer has revoked by itself, and says so', async () => {
    const { owner, hirer, hireId } = await charged(10, 4)
    const address = parseAddress(String((await hirer.budget(hireId))?.address))
    await perform(service, [hirer.keypair], [revoke(address, { owner: parseAddress(hirer.owner) })])
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 10, allowance: 0, covered: false })
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    await hirer.land(hirer.fund(hireId, 1))
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 11, allowance: 11, covered: true })
    await owner.land(owner.collect())
  })

  it('skips accounts that can not pay, and reaches the accounts not read yet', async () => {
    const { owner, agentId } = await createAgent(service)
    const poor = await createHirer(service, agentId, 1)
    await owner.charge(poor.hireId, 5)
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    const rich = await createHirer(service, agentId, 10)
    await owner.charge(rich.hireId, 5)
    expect((await owner.collect()).body.collection).toMatchObject({ accounts: 1, amount: 5 })
    expect(refused(await owner.collect(poor.hireId))).toBe('nothing_to_collect')
    expect((await owner.collect(rich.hireId)).body.collection).toMatchObject({ amount: 5 })
  })
})

const OTHERS_TAKE = 'a signer is neither an account’s owner nor its current delegate'
const TAKES_LESS = 'an account’s balance or allowance is too low'

/*
 * A charge of 400 on an account of 1,000, and what its hirer then approves by itself. Of the 400 the owner's
 * part is moved first: an allowance of as much is used up by that, so that nobody may take the fee.
 */
const OWNERS_PART = 400n - protocolFee(400n, 100)
const part = Number(OWNERS_PART)
describe.each([
  { title: 'to a stranger', to: Keypair.generate(), amount: 1_000, words: OTHERS_TAKE, allowance: 0 },
  { title: 'to less', to: undefined, amount: 200, words: TAKES_LESS, allowance: 200 },
  { title: 'to the owner’s part', to: undefined, amount: part, words: OTHERS_TAKE, allowance: part },
])('a budget account that its hirer approves again, $title', ({ to, amount, words, allowance }) => {
  async function approveAnew({ owner, hirer, hireId }: Awaited<ReturnType<typeof charged>>) {
    const collector = await collectorAccount(parseAddress(owner.owner), 1)
    const approval = {
      account: parseAddress(String((await hirer.budget(hireId))?.address)),
      mint: mintOf(service),
      delegate: to ? addressOf(to) : collector.address,
      amount: BigInt(amount),
      decimals: 9,
    }
    await perform(service, [hirer.keypair], [approveChecked(approval, { owner: parseAddress(hirer.owner) })])
    expect(await hirer.budget(hireId)).toMatchObject({
      balance: 1_000,
      allowance,
      covered: false,
      unpaid: 400,
    })
  }

  /** Once the hirer lets the payout account take enough again, the charge is paid, and only once. */
  async function isPaidOnce({ owner, hirer, hireId, charge }: Awaited<ReturnType<typeof charged>>) {
    await hirer.land(hirer.fund(hireId, 1))
    const before = await owner.cred()
    await owner.land(owner.collect())
    expect(await owner.cred()).toBe(before + OWNERS_PART)
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 601, unpaid: 0 })
    expect(await stateOf(owner, charge)).toBe('collected')
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
  }

  it('between building and relaying: the relay says why, and signs nothing', async () => {
    const hire = await charged(1_000, 400)
    const { owner } = hire
    const built = await owner.collect()
    await approveAnew(hire)
    expect((await owner.relay(built)).body).toMatchObject({
      code: 'transaction_failed',
      detail: expect.stringContaining(words),
    })
    expect(await owner.status(built)).toMatchObject({ status: 'unsigned' })
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    await isPaidOnce(hire)
    expect(refused(await owner.relay(built))).toBe('transaction_not_found')
  })

  it('between relaying and landing: it fails on the chain, its charges are due again', async () => {
    const hire = await charged(1_000, 400)
    const { owner, charge } = hire
    const built = await owner.collect()
    const sent = await relayedInto(service, owner, built)
    await approveAnew(hire)
    await sendPast(service, sent)
    // A failure counts once it is final: a block that is dropped would let the message land again.
    expect(await owner.status(built)).toMatchObject({ status: 'open' })
    await travel(service, FINALITY_MS)
    expect(await owner.status(built)).toMatchObject({ status: 'failed', reason: 'failed_on_chain' })
    expect(await stateOf(owner, charge)).toBe('recorded')
    expect(refused(await owner.relay(built))).toBe('transaction_expired')
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    await isPaidOnce(hire)
    await sendPast(service, sent)
    expect(await hire.hirer.budget(hire.hireId)).toMatchObject({ balance: 601, allowance: 601 })
  })
})

describe('a frozen budget account', () => {
  /** Gives the mint a freeze authority, which the local one lacks. */
  async function freezer() {
    const authority = Keypair.generate()
    await connectionOf(service).requestAirdrop(authority.publicKey, ONE)
    const mint = mintOf(service)
    const account = await connectionOf(service).getAccountInfo(new PublicKey(mint))
    const data = Buffer.from(account?.data ?? [])
    data.writeUInt32LE(1, 46)
    data.set(authority.publicKey.toBytes(), 50)
    await rpc(service, 'surfnet_setAccount', [mint, { data: data.toString('hex') }])
    const asks = async (instruction: 10 | 11, budget: Body | undefined) => {
      const accounts = [
        writable(parseAddress(String(budget?.address))),
        readonly(mint),
        signer(addressOf(authority)),
      ]
      const data = new Uint8Array([instruction])
      await perform(service, [authority], [{ program: TOKEN_PROGRAM, accounts, data }])
    }
    return {
      freeze: (budget: Body | undefined) => asks(10, budget),
      thaw: (budget: Body | undefined) => asks(11, budget),
    }
  }

  it('is left out of collections, its charges are unpaid, and nobody moves its tokens', async () => {
    const { freeze, thaw } = await freezer()
    const { owner, hirer, agentId, hireId, charge } = await charged(10, 4)
    const other = await createHirer(service, agentId, 10)
    await owner.charge(other.hireId, 5)
    // Between building and sending: the relay finds out before it signs.
    const both = await owner.collect()
    expect(both.body.collection).toMatchObject({ accounts: 2, amount: 9 })
    await freeze(await hirer.budget(hireId))
    expect((await owner.relay(both)).body).toMatchObject({
      code: 'transaction_failed',
      detail: expect.stringContaining('freeze authority has frozen an account'),
    })
    expect((await owner.land(owner.collect())).body.collection).toMatchObject({ accounts: 1, amount: 5 })
    expect(refused(await owner.collect())).toBe('nothing_to_collect')
    const shown = { status: 'frozen', balance: 10, covered: false, unpaid: 4, unpaidCharges: 1 }
    expect(await hirer.budget(hireId)).toMatchObject(shown)
    expect(await owner.budget(hireId, 'owner')).toMatchObject(shown)
    expect(await stateOf(owner, charge)).toBe('recorded')
    expect(refused(await hirer.fund(hireId, 1))).toBe('budget_frozen')
    expect(refused(await hirer.withdraw(hireId))).toBe('budget_frozen')
    await thaw(await hirer.budget(hireId))
    expect((await owner.land(owner.collect())).body.collection).toMatchObject({ accounts: 1, amount: 4 })
    await hirer.land(hirer.withdraw(hireId))
  })
})

describe('a payout account', () => {
  it('is made once', async () => {
    const { owner } = await createAgent(service)
    expect(refused(await owner.openCollector())).toBe('collector_exists')
  })

  it('is shown to its owner when budget accounts are listed, open once it is made', async () => {
    const { owner } = await createAgent(service, { hasCollector: false })
    const list = async (query: string) => (await owner.call('GET', `/payments/budgets?${query}`)).body
    const before = await list('role=owner')
    expect(before).toMatchObject({ budgets: [], collector: { status: 'absent' } })
    await owner.land(owner.openCollector())
    const { address } = before.collector as Body
    expect((await list('role=owner')).collector).toEqual({ address, status: 'open' })
    expect(await list('role=hirer')).not.toHaveProperty('collector')
  })

  it('has to exist before a budget account is built', async () => {
    const { agentId } = await createAgent(service, { hasCollector: false })
    const hirer = await createPayer(service)
    const hireId = await hireAgent(hirer, agentId)
    expect(refused(await hirer.fund(hireId, 1))).toBe('collector_missing')
  })

  it('with other signers is reported to both sides, and never approved', async () => {
    const { owner, agentId } = await createAgent(service, { hasCollector: false })
    const wallet = parseAddress(owner.owner)
    const account = await collectorAccount(wallet, 1)
    await perform(
      service,
      [owner.keypair],
      [
        createAccountWithSeed(account, 3_361_680n, 355n),
        initializeMultisig2(account.address, 1, [wallet, wallet]),
      ],
    )
    const hirer = await createPayer(service)
    const hireId = await hireAgent(hirer, agentId)
    expect(refused(await hirer.fund(hireId, 1))).toBe('collector_foreign')
    expect(refused(await owner.openCollector())).toBe('collector_foreign')
  })

  it('is read in a bounded call of its own when something large is at its address', async () => {
    const { owner } = await createAgent(service, { hasCollector: false })
    const account = await collectorAccount(parseAddress(owner.owner), 1)
    const space = 100_000n
    await perform(service, [owner.keypair], [createAccountWithSeed(account, 696_890_880n, space)])
    const bytes: number[] = []
    const counting: Fault = async (request) => {
      const text = (await (await service.solana.outbound(request))?.text()) ?? ''
      bytes.push(text.length)
      return new Response(text)
    }
    const { body } = await service.withRpcFault(counting, () =>
      owner.call('GET', '/payments/budgets?role=owner'),
    )
    expect(body).toMatchObject({ budgets: [], collector: { status: 'foreign' } })
    expect(bytes).toEqual([expect.any(Number)])
    expect(bytes[0]).toBeLessThan(1_000)
  })
})

describe('a budget account', () => {
  it('is opened once of two requests at the same time', async () => {
    const { agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId)
    const answers = await Promise.all([hirer.fund(hireId, 1), hirer.fund(hireId, 2)])
    const built = answers.filter(({ status }) => status === 200)
    expect(built.length).toBeGreaterThanOrEqual(1)
    const addresses = new Set(built.map(({ body }) => body.address))
    expect(addresses.size).toBe(1)
  })

  it('leaves no row when it is only built, for any number of hires', async () => {
    const { agentId } = await createAgent(service)
    const hirer = await createPayer(service)
    const rows = () => rowsOf(service, 'select hire_id from budget_accounts where hirer = $1', hirer.owner)
    for (let round = 0; round < 3; round += 1) {
      const hireId = await hireAgent(hirer, agentId)
      expect((await hirer.fund(hireId, 1)).status).toBe(200)
      expect((await hirer.call('DELETE', `/agents/hire?id=${hireId}`)).status).toBe(200)
    }
    expect(await rows()).toEqual([])
  })

  it('that was opened without the service is found by the next funding, or withdrawn', async () => {
    const { agentId } = await createAgent(service)
    for (const isMore of [true, false]) {
      const { hirer, hireId } = await createHirer(service, agentId)
      const past = await hirer.fund(hireId, 10)
      await sendPast(service, hirer.signFirst(past))
      expect(await hirer.budget(hireId)).toMatchObject({ status: 'open', balance: 10 })
      await hirer.land(isMore ? hirer.fund(hireId, 5) : hirer.withdraw(hireId))
      const { address } = past.body
      if (isMore) expect(await hirer.budget(hireId)).toMatchObject({ address, balance: 15, allowance: 15 })
      else expect(await hirer.cred()).toBe(1000n * BigInt(ONE))
    }
  })

  it('refuses more than the wallet has, and another’s hire', async () => {
    const { agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId)
    expect(refused(await hirer.fund(hireId, 1001 * ONE))).toBe('funds_short')
    const stranger = await createPayer(service)
    expect(refused(await stranger.fund(hireId, 1))).toBe('hire_not_found')
    expect(refused(await stranger.withdraw(hireId))).toBe('hire_not_found')
    expect(await stranger.budget(hireId)).toBeUndefined()
    expect(refused(await hirer.withdraw(hireId))).toBe('budget_not_found')
  })

  it('withdraws after a gift that fails its closing', async () => {
    const { agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId, 10)
    const closing = await hirer.withdraw(hireId)
    const address = parseAddress(String(closing.body.address))
    const donation = {
      source: await ownerTokensOf(service, hirer.owner),
      destination: address,
      mint: mintOf(service),
      amount: 1n,
      decimals: 9,
    }
    await perform(service, [hirer.keypair], [transferChecked(donation, { owner: parseAddress(hirer.owner) })])
    expect(refused(await hirer.relay(closing))).toBe('transaction_failed')
    await hirer.land(hirer.withdraw(hireId, true))
    await hirer.land(hirer.withdraw(hireId))
    expect(await hirer.budget(hireId)).toMatchObject({ status: 'absent' })
  })

  it('gets another address when its hirer has made another account at its own', async () => {
    const { agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId, 10)
    const before = await hirer.budget(hireId)
    const address = parseAddress(String(before?.address))
    const stranger = Keypair.generate().publicKey.toBytes()
    const setOwner = {
      ...revoke(address, { owner: parseAddress(hirer.owner) }),
      // SetAuthority: the account's owner.
      data: new Uint8Array([6, 2, 1, ...stranger]),
    }
    await perform(service, [hirer.keypair], [setOwner])
    expect(await hirer.budget(hireId)).toMatchObject({ status: 'foreign', balance: 0 })
    await hirer.land(hirer.fund(hireId, 5))
    const after = await hirer.budget(hireId)
    expect(after).toMatchObject({ status: 'open', balance: 5 })
    expect(after?.address).not.toBe(before?.address)
  })
})
