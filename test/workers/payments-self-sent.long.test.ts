import { createHash } from 'node:crypto'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../../lib/solana/address.ts'
import { approveChecked, revoke } from '../../lib/solana/programs/token.ts'
import { addressOf, mintOf, perform, rowsOf } from '../support/chain.ts'
import { eventsOf } from '../support/events.ts'
import { createAgent, createPayer, hireAgent, type Payer } from '../support/payer.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { rpc, travel } from '../support/staker.ts'

/* Wallets that send what they sign (signAndSendTransaction): the relay is given nothing. */

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

/** Signs and sends as such a wallet does, with its guards. */
const sendBy = (wallet: Payer, built: Answer) =>
  rpc(service, 'sendTransaction', [wallet.signFirst(built), { encoding: 'base64', skipPreflight: true }])
const runJobs = () => service.runJobs('settlement')
const recorded = (hirer: Payer) =>
  rowsOf(service, 'select address, generation from budget_accounts where hirer = $1', hirer.owner)
const fundings = async ({ call }: Payer) =>
  (await eventsOf(call)).filter(({ type }) => type === 'budget.funded').map(({ data }) => data)
async function hired() {
  const { owner, agentId } = await createAgent(service)
  const hirer = await createPayer(service)
  return { owner, agentId, hirer, hireId: await hireAgent(hirer, agentId, { autoRenew: true }) }
}

describe('a funding that its wallet has sent itself', () => {
  it('has landed by its status, is published to both, and pays charges', async () => {
    const { owner, hirer, hireId } = await hired()
    const built = await hirer.fund(hireId, 1_000)
    expect(await hirer.status(built)).toMatchObject({ status: 'unsigned' })
    await sendBy(hirer, built)
    expect(await hirer.status(built)).toMatchObject({ status: 'landed' })
    const { address } = built.body
    expect(await owner.budget(hireId, 'owner')).toMatchObject({ address, balance: 1_000, allowance: 1_000 })
    for (const wallet of [owner, hirer])
      expect(await fundings(wallet)).toMatchObject([
        { hireId, address, amount: 1_000, transactionId: built.body.id },
      ])
    await owner.charge(hireId, 400)
    await owner.land(owner.collect())
    expect(await owner.cred()).toBe(1000n * 10n ** 9n + 396n)
    // A collected charge counts as use of the hire.
    expect(
      await rowsOf(service, 'select 1 from hires where id = $1 and paid_at is not null', hireId),
    ).toHaveLength(1)
  })

  it('is found by the collection of its hire’s charges, without a read of its status', async () => {
    const { owner, hirer, hireId } = await hired()
    const built = await hirer.fund(hireId, 1_000)
    await sendBy(hirer, built)
    await travel(service, 16 * 60_000)
    await service.runJob('daily')
    expect((await service.call('GET', `/payments/transactions/${built.body.id}`)).status).toBe(404)
    expect(await recorded(hirer)).toEqual([])
    await owner.charge(hireId, 400)
    await owner.land(owner.collect(hireId))
    expect(await fundings(owner)).toEqual([expect.not.objectContaining({ transactionId: expect.anything() })])
    expect(await fundings(hirer)).toMatchObject([{ amount: 1_000 }])
  })

  it('is found by job runs once a charge of its hire is due', async () => {
    const { owner, hirer, hireId } = await hired()
    await sendBy(hirer, await hirer.fund(hireId, 1_000))
    expect(await service.countRpc(runJobs)).toBe(0)
    await owner.charge(hireId, 400)
    await runJobs()
    expect(await recorded(hirer)).toHaveLength(1)
    expect(await fundings(hirer)).toMatchObject([{ amount: 1_000 }])
    const sought = 'select id from hires where seek_at is not null'
    expect(await rowsOf(service, sought)).toEqual([])
  })

  it('adds to the balance and the allowance when it is a top-up', async () => {
    const { owner, hirer, hireId } = await hired()
    await hirer.land(hirer.fund(hireId, 1_000))
    const built = await hirer.fund(hireId, 500)
    expect(await hirer.status(built)).toMatchObject({ status: 'unsigned' })
    await sendBy(hirer, built)
    expect(await hirer.status(built)).toMatchObject({ status: 'landed' })
    expect((await fundings(owner)).map(({ amount }) => amount).sort()).toEqual([1_000, 500])
    expect(await hirer.budget(hireId)).toMatchObject({ balance: 1_500, allowance: 1_500 })
  })
})

describe('a funding that nobody has sent', () => {
  it('has not landed, for anything that the relay has sent since it was built', async () => {
    const { owner, hirer, hireId } = await hired()
    const unsent = await hirer.fund(hireId, 700)
    const sent = hirer.signFirst(unsent)
    await hirer.post('transactions', { id: unsent.body.id, transaction: sent })
    // Built before the first is seen to have landed.
    const next = await hirer.fund(hireId, 500)
    if (next.status === 200) expect(await hirer.status(next)).toMatchObject({ status: 'unsigned' })
    expect(await hirer.status(unsent)).toMatchObject({ status: 'landed' })
    if (next.status === 200) expect(await hirer.status(next)).toMatchObject({ status: 'unsigned' })
    expect((await fundings(owner)).map(({ amount }) => amount)).toEqual([700])
  })

  it('stores nothing, for any number of searches', async () => {
    const { owner, agentId } = await createAgent(service)
    for (let n = 0; n < 3; n += 1) {
      const hirer = await createPayer(service, 0)
      const hireId = await hireAgent(hirer, agentId)
      await owner.charge(hireId, 5)
      expect((await owner.collect(hireId)).body.code).toBe('nothing_to_collect')
      await runJobs()
      expect(await recorded(hirer)).toEqual([])
    }
    expect((await owner.collect()).body.code).toBe('nothing_to_collect')
  })
})

describe('an account at a budget account’s address', () => {
  it.each(['a stranger', 'nobody'])('is not the hire’s when its delegate is %s', async (delegate) => {
    const { owner, hirer, hireId } = await hired()
    const built = await hirer.fund(hireId, 1_000)
    await sendBy(hirer, built)
    const account = parseAddress(String(built.body.address))
    const own = { owner: parseAddress(hirer.owner) }
    const approval = {
      account,
      mint: mintOf(service),
      delegate: addressOf(Keypair.generate()),
      amount: 5n,
      decimals: 9,
    }
    await perform(
      service,
      [hirer.keypair],
      [delegate === 'nobody' ? revoke(account, own) : approveChecked(approval, own)],
    )
    await owner.charge(hireId, 400)
    expect(await hirer.status(built)).toMatchObject({ status: 'unsigned' })
    await runJobs()
    expect((await owner.collect(hireId)).body.code).toBe('nothing_to_collect')
    expect(await recorded(hirer)).toEqual([])
  })

  it('that is given away is replaced by the next, at an address that follows, too', async () => {
    const { owner, hirer, hireId } = await hired()
    const first = await hirer.fund(hireId, 10)
    await sendBy(hirer, first)
    const setOwner = {
      ...revoke(parseAddress(String(first.body.address)), { owner: parseAddress(hirer.owner) }),
      // SetAuthority: the account's owner.
      data: new Uint8Array([6, 2, 1, ...Keypair.generate().publicKey.toBytes()]),
    }
    await perform(service, [hirer.keypair], [setOwner])
    const built = await hirer.fund(hireId, 1_000)
    const seed = createHash('sha256').update(`${hireId}:1`).digest('hex').slice(0, 32)
    const address = await PublicKey.createWithSeed(hirer.keypair.publicKey, seed, TOKEN_PROGRAM)
    expect(built.body.address).toBe(address.toBase58())
    await sendBy(hirer, built)
    await owner.charge(hireId, 400)
    await owner.land(owner.collect(hireId))
    expect(await recorded(hirer)).toEqual([[address.toBase58(), '1']])
    await hirer.land(hirer.withdraw(hireId))
    expect(await hirer.cred()).toBe(1000n * 10n ** 9n - 410n)
  })
})
