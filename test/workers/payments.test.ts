import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploymentView } from '../../lib/payments/deployment.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { closeAccount } from '../../lib/solana/programs/token.ts'
import { agentOwner, wallet } from '../support/built-transactions.ts'
import { credIn, ownerTokensOf, perform, treasuryOf } from '../support/chain.ts'
import { logged } from '../support/events.ts'
import { createAgent, createHirer, createPayer, hireAgent, type Payer } from '../support/payer.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import { connectionOf, ONE } from '../support/staker.ts'
import { PHANTOM } from '../support/wallets.ts'
import { wavesOf } from '../support/waves.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'payments', 'events', 'jobs', 'settlement'],
  })
})
afterAll(() => service.stop())

it('reads the balances of a wallet in one call to the chain, and none of a new one', async () => {
  const payer = await createPayer(service, 7n * BigInt(ONE) + 1n)
  const balances = async ({ call }: Pick<Payer, 'call'>) => await call('GET', '/payments/balances')
  const rpc = await service.countRpc(async () => {
    expect((await balances(payer)).body).toEqual({ sol: expect.any(Number), cred: 7 * ONE + 1 })
  })
  expect(rpc).toBe(1)
  expect((await balances(await service.signIn())).body).toEqual({ sol: 0, cred: 0 })
  expect((await service.call('GET', '/payments/balances')).body.code).toBe('token_missing')
})

it('publishes what clients verify transactions with', async () => {
  const answer = await service.call('GET', '/payments/deployment')
  const {
    VAULT_MINT,
    VAULT_AUTHORITY_ADDRESSES,
    VAULT_RECOVERY_ADDRESSES,
    PAYMENTS_AUTHORITY_ADDRESSES,
    PAYMENTS_RECOVERY_ADDRESSES,
  } = service.solana.bindings
  const first = (list: string) => list.replace('1:', '')
  expect(answer.body).toEqual({
    mint: VAULT_MINT,
    feeBps: 100,
    treasury: (await treasuryOf(service)).treasury,
    vaultKeys: [
      { version: 1, authority: first(VAULT_AUTHORITY_ADDRESSES), recovery: first(VAULT_RECOVERY_ADDRESSES) },
    ],
    paymentKeys: [
      {
        version: 1,
        authority: first(PAYMENTS_AUTHORITY_ADDRESSES),
        recovery: first(PAYMENTS_RECOVERY_ADDRESSES),
      },
    ],
  })
})

it('publishes every key version after a rotation, the oldest first', async () => {
  const rotated = await deploymentView(
    {
      mint: service.solana.bindings.VAULT_MINT,
      vaultAuthorityAddresses: `2:${agentOwner},1:${wallet}`,
      vaultRecoveryAddresses: `2:${wallet},1:${agentOwner}`,
      paymentsAuthorityAddresses: `1:${wallet}`,
    },
    0,
  )
  expect(rotated).toMatchObject({
    feeBps: 0,
    treasury: await associatedTokenAddress(agentOwner, parseAddress(service.solana.bindings.VAULT_MINT)),
    vaultKeys: [
      { version: 1, authority: wallet, recovery: agentOwner },
      { version: 2, authority: agentOwner, recovery: wallet },
    ],
  })
})

describe('a hire that pays', () => {
  it('of an agent can be funded once its owner has set up payouts, as the agent shows', async () => {
    const owner = await createPayer(service)
    const { body: agent } = await owner.call('POST', '/agents/register', {
      body: { name: 'Unpaid agent', agentType: 'autonomous', supportedLayers: [1] },
    })
    const read = async () => (await service.call('GET', `/agents/${agent.id}`)).body
    expect(await read()).not.toHaveProperty('canBePaid')
    const hirer = await createPayer(service)
    const hireId = await hireAgent(hirer, String(agent.id))
    expect((await hirer.fund(hireId, ONE)).body.code).toBe('collector_missing')
    const opening = await owner.openCollector()
    expect(await read()).not.toHaveProperty('canBePaid')
    await owner.relay(opening)
    expect(await owner.status(opening)).toMatchObject({ status: 'landed' })
    expect(await read()).toMatchObject({ canBePaid: true })
    expect((await hirer.fund(hireId, ONE)).status).toBe(200)
  })

  it('is funded, charged, collected, topped up and withdrawn to the lamport', async () => {
    const { owner, agentId } = await createAgent(service)
    const hirer = await createPayer(service)
    const hireId = await hireAgent(hirer, agentId)
    expect(await hirer.budget(hireId)).toMatchObject({ status: 'absent', balance: 0, unpaid: 0 })
    const { body: unfunded } = await hirer.call('GET', '/payments/budgets')
    expect(unfunded.budgets).toEqual([])

    const funding = await hirer.fund(hireId, 5 * ONE)
    expect(funding.body).toMatchObject({
      kind: 'fund_budget',
      message: expect.stringMatching(
        /^Signing puts 5 CRED into your budget account of this hire.*returned when it is closed/,
      ),
    })
    expect(await hirer.status(funding)).toMatchObject({ status: 'unsigned', kind: 'fund_budget' })
    await hirer.relay(funding)
    expect(await hirer.status(funding)).toMatchObject({
      status: 'landed',
      accounts: [{ hireId, address: funding.body.address, amount: 5 * ONE, fee: 0 }],
    })
    expect(await hirer.budget(hireId)).toMatchObject({
      status: 'open',
      balance: 5 * ONE,
      allowance: 5 * ONE,
      unpaid: 0,
      covered: true,
    })

    const first = await owner.charge(hireId, 1_000_000_001)
    const second = await owner.charge(hireId, 2 * ONE)
    expect(await owner.budget(hireId, 'owner')).toMatchObject({
      unpaid: 3_000_000_001,
      unpaidCharges: 2,
      covered: true,
    })
    const { treasury } = await treasuryOf(service)
    const before = { owner: await owner.cred(), treasury: await credIn(service, treasury) }
    const collection = await owner.collect()
    const fee = protocolFee(3_000_000_001n, 100)
    expect(collection.body).toMatchObject({
      kind: 'collect',
      collection: { amount: 3_000_000_001, fee: Number(fee), charges: 2, accounts: 1 },
    })
    expect((await owner.relay(collection)).status).toBe(200)
    expect(await owner.status(collection)).toMatchObject({ status: 'landed' })
    expect(await owner.cred()).toBe(before.owner + 3_000_000_001n - fee)
    expect(await credIn(service, treasury)).toBe(before.treasury + fee)

    const { body: listed } = await owner.call('GET', '/payments/charges?role=owner')
    const collected = (listed.charges as Body[]).filter(({ id }) => id === first.id || id === second.id)
    expect(collected.map(({ status }) => status)).toEqual(['collected', 'collected'])
    const { body: transaction } = await owner.call('GET', `/payments/transactions/${collection.body.id}`)
    expect(collected.map(({ signature }) => signature)).toEqual(Array(2).fill(transaction.signature))
    expect(transaction.signature).toEqual(expect.stringMatching(/^\w{64,}$/))
    expect((await hirer.call('GET', `/payments/charges/${first.id}`)).body).toEqual(
      collected.find(({ id }) => id === first.id),
    )
    const fees = collected.map(({ fee }) => Number(fee))
    expect(fees.reduce((sum, fee) => sum + fee, 0)).toBe(Number(fee))

    const { message } = (await hirer.land(hirer.fund(hireId, ONE))).body
    expect(message).toContain('up to 2.999999999 CRED')
    expect(message).not.toContain('returned when it is closed')
    await hirer.land(hirer.withdraw(hireId))
    expect(await hirer.budget(hireId)).toMatchObject({ status: 'absent', balance: 0, covered: true })
    expect(await hirer.cred()).toBe(1000n * BigInt(ONE) - 3_000_000_001n)

    for (const side of [owner, hirer]) {
      await logged(side.call, 2, /^charge\.collected$/)
      await logged(side.call, 2, /^budget\.funded$/)
      await logged(side.call, 1, /^budget\.withdrawn$/)
    }
  })

  it('is found by what is due, funded or not, by either side and nobody else', async () => {
    const { owner, agentId } = await createAgent(service)
    const hirers = await Promise.all([createPayer(service), createPayer(service), createPayer(service)])
    const [paying, owing, idle] = await Promise.all(
      hirers.map(async (hirer) => ({ ...hirer, hireId: await hireAgent(hirer, agentId) })),
    )
    if (!paying || !owing || !idle) throw new Error('three have hired')
    await paying.land(paying.fund(paying.hireId, 5))
    await owner.charge(paying.hireId, 3)
    await owner.charge(owing.hireId, 2)
    await owner.charge(owing.hireId, 4)
    const voided = await owner.charge(idle.hireId, 7)
    await owner.call('POST', `/payments/charges/${voided.id}/void`)
    const due = async ({ call }: Pick<Payer, 'call'>, query = '') =>
      (await call('GET', `/payments/budgets?due=true${query}`)).body.budgets as Body[]
    const owed = { hireId: owing.hireId, status: 'absent', unpaid: 6, unpaidCharges: 2, covered: false }
    expect(await due(paying)).toMatchObject([
      { hireId: paying.hireId, status: 'open', balance: 5, unpaid: 3, covered: true },
    ])
    expect(await due(owing)).toMatchObject([owed])
    expect(await due(owing, `&hireId=${owing.hireId}`)).toMatchObject([owed])
    expect(await due(idle)).toEqual([])
    expect(await due(idle, `&hireId=${idle.hireId}`)).toEqual([])
    expect(await due(idle, `&hireId=${owing.hireId}`)).toEqual([])
    expect(await due(owing, '&role=owner')).toEqual([])
    const ofOwner = await due(owner, '&role=owner')
    expect(ofOwner.map(({ hireId }) => hireId).sort()).toEqual([paying.hireId, owing.hireId].sort())
    const first = await owner.call('GET', '/payments/budgets?due=true&role=owner&limit=1')
    const second = await due(owner, `&role=owner&cursor=${first.body.nextCursor}`)
    expect([...(first.body.budgets as Body[]), ...second]).toEqual(ofOwner)
    expect((await owner.call('GET', '/payments/budgets?due=yes')).body.code).toBe('invalid_request')
    // The address is where funding opens the account.
    const [{ address } = { address: '' }] = await due(owing)
    expect((await owing.fund(owing.hireId, 1)).body.address).toBe(address)
    // Nothing is due from a hire whose charges have lapsed.
    const query = `update hires set status = 'terminated', ended_at = hired_at - interval '31 days' where id = $1`
    await service.database.engine.run([{ query, params: [owing.hireId] }])
    const { body } = await owing.call('GET', '/payments/charges?role=hirer')
    expect((body.charges as Body[]).map(({ status }) => status)).toEqual(['lapsed', 'lapsed'])
    expect(await due(owing)).toEqual([])
  })

  it('is signed first by a wallet that adds guards, a budget of its own and version 0', async () => {
    const { owner, agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId)
    const habits = { ...PHANTOM, version: 0 as const, budget: { units: 300_000, microLamports: 7n } }
    await hirer.land(hirer.fund(hireId, ONE), habits)
    await owner.charge(hireId, ONE)
    await owner.land(owner.collect(), habits)
    await hirer.land(hirer.withdraw(hireId), habits)
  })

  it('collects from several accounts at once, and of each what it can pay', async () => {
    const { owner, agentId } = await createAgent(service)
    const [rich, poor, empty] = [
      await createHirer(service, agentId, 10),
      await createHirer(service, agentId, 3),
      await createHirer(service, agentId),
    ]
    for (const { hireId } of [rich, poor, empty]) {
      await owner.charge(hireId, 4)
      await owner.charge(hireId, 2)
    }
    const built = await owner.land(owner.collect())
    const fee = Number(protocolFee(6n, 100) + protocolFee(2n, 100))
    expect(built.body.collection).toEqual({ amount: 8, fee, charges: 3, accounts: 2 })
    expect(await rich.hirer.budget(rich.hireId)).toMatchObject({ balance: 4, unpaid: 0, covered: true })
    expect(await poor.hirer.budget(poor.hireId)).toMatchObject({ balance: 1, unpaid: 4, covered: false })
    expect((await owner.collect()).body).toMatchObject({ status: 409, code: 'nothing_to_collect' })
  })

  it('shows in a transaction’s message the rent of a new token account, and charges it', async () => {
    const { owner, agentId } = await createAgent(service, { cred: 0 })
    const { hirer, hireId } = await createHirer(service, agentId)
    await hirer.land(hirer.fund(hireId, await hirer.cred()))
    const hirerTokens = await ownerTokensOf(service, hirer.owner)
    const own = parseAddress(hirer.owner)
    await perform(service, [hirer.keypair], [closeAccount(hirerTokens, own, { owner: own })])
    await owner.charge(hireId, 5)
    const paid = async (side: Payer, building: () => Promise<Answer>) => {
      const before = await connectionOf(service).getBalance(side.keypair.publicKey)
      const { body } = await side.land(building())
      const costs = / It costs (?<fee>[\d.]+) SOL network fee(?: and (?<rent>[\d.]+) SOL rent(?<of>.*?))?\. /
      const { fee, rent, of } = costs.exec(String(body.message))?.groups ?? {}
      const after = await connectionOf(service).getBalance(side.keypair.publicKey)
      expect(before - after).toBe(Math.round((Number(fee) + Number(rent ?? 0)) * ONE))
      return { rent, of }
    }
    const made = { rent: '0.00203928', of: ' of your new token account' }
    expect(await paid(owner, () => owner.collect())).toEqual(made)
    expect(await paid(hirer, () => hirer.withdraw(hireId, true))).toEqual(made)
    await hirer.land(hirer.fund(hireId, 10))
    await owner.charge(hireId, 5)
    expect(await paid(owner, () => owner.collect())).toEqual({})
    expect(await paid(hirer, () => hirer.withdraw(hireId, true))).toEqual({})
  })

  it('asks the database once before and once after, and the chain in one wave', async () => {
    const { owner, agentId } = await createAgent(service)
    const { hirer, hireId } = await createHirer(service, agentId, ONE)
    await owner.charge(hireId, 5)
    const counts = async (action: () => Promise<unknown>) => {
      let sql = 0
      const rpc = await service.countRpc(async () => {
        sql = await service.countSql(action)
      })
      return { sql, rpc }
    }
    const { answer: built, ...building } = await wavesOf(service, [2], () => owner.collect())
    expect(building).toEqual({ sql: 2, waves: [['getLatestBlockhash', 'getMultipleAccounts']] })
    const { answer: sent, ...relaying } = await wavesOf(service, [2, 1, 1], () => owner.relay(built))
    expect(sent.status).toBe(200)
    const waves = [['isBlockhashValid', 'simulateTransaction'], ['getBlockHeight'], ['sendTransaction']]
    expect(relaying).toEqual({ sql: 2, waves })
    expect(await owner.status(built)).toMatchObject({ status: 'landed' })
    expect(await counts(() => hirer.fund(hireId, 1))).toEqual({ sql: 2, rpc: 2 })
    expect(await counts(() => hirer.withdraw(hireId))).toEqual({ sql: 2, rpc: 2 })
    expect(await counts(() => hirer.budget(hireId))).toEqual({ sql: 1, rpc: 1 })
    expect(await counts(() => owner.openCollector())).toEqual({ sql: 0, rpc: 2 })
  })
})
