import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseAddress } from '../../lib/solana/address.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { createAccountWithSeed } from '../../lib/solana/programs/system.ts'
import {
  closeAccount,
  initializeAccount3,
  TOKEN_ACCOUNT_BYTES,
  transferChecked,
} from '../../lib/solana/programs/token.ts'
import { vaultAccount } from '../../lib/vault/addresses.ts'
import { fateOf, LIFETIME_MS, mintOf, ownerTokensOf, perform, rowsOf } from '../support/chain.ts'
import { flood } from '../support/flood.ts'
import { escrowOf, exitEarly, makePosition, positionOf, putInBy } from '../support/forger.ts'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, type Staker, travel, travelToNoon } from '../support/staker.ts'

/* Attacks by strangers and owners on the search for stacks whose positions do not show on the chain. */

const YEAR = 365
const RENT = 2_039_280n

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await rowsOf(service, 'delete from vault_generations')
  await travelToNoon(service)
})

const isPaused = async () =>
  (await rowsOf(service, 'select 1 from vault_generations where paused_at is not null')).length > 0

/** What the limits count for a wallet today: yield that has left the treasury, and that may still leave. */
const yieldOf = async ({ owner }: Staker) => {
  const [row] = await rowsOf(
    service,
    'select yield_landed, yield_reserved from vaults where owner = $1',
    owner,
  )
  return { taken: BigInt(row?.[0] ?? 0), reserved: BigInt(row?.[1] ?? 0) }
}

const runJobs = () => service.runJobs('settlement')

/** An owner whose vault stands, by a stake that landed. */
async function createHolder(cred = 1_000_000n * BigInt(ONE)) {
  const staker = await createStaker(service, cred)
  const stack = await staker.stack(ONE, 7)
  expect((await staker.relay(stack)).status).toBe(200)
  expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
  return staker
}

const yieldIn = (stack: Answer): bigint =>
  putInBy(stack) - BigInt(Number((stack.body.quote as { amount: number }).amount))

describe('a stack that was never sent, and whose id strangers write into memos', () => {
  it('expires, gives back what it has reserved and stops nobody', async () => {
    const staker = await createHolder()
    const before = await yieldOf(staker)
    const stack = await staker.stack(1, 7)
    await flood(service, positionOf(stack).address, 26, String(stack.body.id))
    await travel(service, LIFETIME_MS)
    // A read makes few calls; each search goes on where the one before it has ended.
    let fate = await staker.status(stack)
    expect(fate).toMatchObject({ status: 'open' })
    for (let read = 0; read < 4 && fate.status === 'open'; read += 1)
      fate = await fateOf(service, staker, stack)
    expect(fate).toMatchObject({ status: 'expired' })
    expect(await isPaused()).toBe(false)
    expect(await yieldOf(staker)).toEqual(before)
  })

  it('is resolved by one job run', async () => {
    const staker = await createHolder()
    const stack = await staker.stack(1, 7)
    await flood(service, positionOf(stack).address, 11, String(stack.body.id))
    await travel(service, LIFETIME_MS)
    await runJobs()
    expect(await staker.status(stack)).toMatchObject({ status: 'expired' })
    expect(await isPaused()).toBe(false)
  })
})

describe('a stack that was withdrawn with the recovery key before anyone saw it', () => {
  it('is counted, among any number of its owner’s transactions', async () => {
    const thief = await createHolder()
    const before = await yieldOf(thief)
    const stack = await thief.stack(300_000 * ONE, YEAR)
    expect((await thief.relay(stack)).status).toBe(200)
    const { address } = positionOf(stack)
    await exitEarly(service, thief, address)
    await flood(service, address, 1_001)
    await travel(service, LIFETIME_MS)
    await thief.vault()
    expect(await thief.status(stack)).toMatchObject({ status: 'failed', reason: 'left_before_seen' })
    expect(await yieldOf(thief)).toEqual({ taken: before.taken + yieldIn(stack), reserved: before.reserved })
    expect(await isPaused()).toBe(true)
  })
})

describe('a search that a node cuts short', () => {
  const methodOf = async (request: Request) => ((await request.clone().json()) as { method: string }).method
  const passedOn = (request: Request) =>
    service.solana.outbound(request) ?? new Response(null, { status: 500 })
  const answering =
    (results: Record<string, unknown>): Fault =>
    async (request) => {
      const method = await methodOf(request)
      if (!(method in results)) return passedOn(request)
      return Response.json({ jsonrpc: '2.0', id: 1, result: results[method] })
    }
  const statusOf = (stack: Answer) =>
    rowsOf(service, 'select status, reason from vault_intents where id = $1', String(stack.body.id))
  /** A page of transactions that name the stack, none of which the node has when it is asked. */
  const page = (stack: Answer) =>
    Array.from({ length: 1_000 }, (_, index) => ({
      signature: `${index}`,
      slot: Number.MAX_SAFE_INTEGER,
      err: null,
      memo: String(stack.body.id),
    }))

  it('keeps the reservation, pauses nobody and is made again, later each time', async () => {
    const staker = await createHolder()
    const before = await yieldOf(staker)
    const stack = await staker.stack(1_000 * ONE, YEAR)
    const reserved = { taken: before.taken, reserved: before.reserved + yieldIn(stack) }
    await travel(service, LIFETIME_MS)
    const endless = answering({ getSignaturesForAddress: page(stack), getTransaction: null })
    const searches: number[] = []
    for (let minute = 0; minute < 30; minute += 1) {
      const calls = await service.countRpc(() => service.withRpcFault(endless, () => staker.vault()))
      // Beside accounts and height: a page and the transaction that the node does not have.
      if (calls > 2) searches.push(minute)
      await travel(service, 60_000)
    }
    expect(searches.length).toBeGreaterThan(2)
    expect(searches.length).toBeLessThan(7)
    expect(searches.at(-1) ?? 0).toBeGreaterThan(2 * (searches.at(-2) ?? 0) - (searches.at(-3) ?? 0))
    expect(await statusOf(stack)).toEqual([['open', null]])
    expect(await yieldOf(staker)).toEqual(reserved)
    expect(await isPaused()).toBe(false)
    await travel(service, 3_600_000)
    await runJobs()
    expect(await staker.status(stack)).toMatchObject({ status: 'expired' })
    expect(await yieldOf(staker)).toEqual(before)
  })

  it('ends after a day if the node has forgotten: its yield counts, and nothing pauses', async () => {
    const staker = await createHolder()
    const before = await yieldOf(staker)
    const stack = await staker.stack(1_000 * ONE, YEAR)
    const forgetful = answering({ getSignaturesForAddress: [], getFirstAvailableBlock: 2 ** 40 })
    // An empty account within the hour proves that nothing landed; later the node may have forgotten it.
    await travel(service, 3_600_000)
    await service.withRpcFault(forgetful, () => staker.vault())
    expect(await statusOf(stack)).toEqual([['open', null]])
    await travel(service, DAY)
    await service.withRpcFault(forgetful, runJobs)
    expect(await statusOf(stack)).toEqual([['failed', 'unproven']])
    expect(await isPaused()).toBe(false)
    expect(await yieldOf(staker)).toEqual({ ...before, taken: before.taken + yieldIn(stack) })
  })

  it('is made again at once where the node has only not caught up', async () => {
    const staker = await createHolder()
    const stack = await staker.stack(ONE, 7)
    await travel(service, LIFETIME_MS)
    const behind = { jsonrpc: '2.0', id: 1, error: { code: -32_016, message: 'not reached' } }
    const lagging: Fault = async (request) =>
      (await methodOf(request)) === 'getSignaturesForAddress' ? Response.json(behind) : passedOn(request)
    await service.withRpcFault(lagging, () => staker.vault())
    expect(await statusOf(stack)).toEqual([['open', null]])
    await staker.vault()
    expect(await statusOf(stack)).toEqual([['expired', null]])
  })

  it('keeps no other intent of the owner waiting where the node does not answer it', async () => {
    const staker = await createHolder()
    const [lost, landed] = [await staker.stack(ONE, 7), await staker.stack(2 * ONE, 7)]
    await travel(service, LIFETIME_MS / 2)
    expect((await staker.relay(landed)).status).toBe(200)
    await travel(service, LIFETIME_MS / 2)
    const broken: Fault = async (request) => {
      const call = (await request.clone().json()) as { method: string }
      if (call.method === 'getSignaturesForAddress') return new Response('busy', { status: 503 })
      return service.solana.outbound(request) ?? new Response(null, { status: 500 })
    }
    await service.withRpcFault(broken, () => staker.vault())
    expect(await staker.status(landed)).toMatchObject({ status: 'landed' })
    expect(await staker.status(lost)).toMatchObject({ status: 'open' })
  })
})

describe('an account that an owner makes at the position’s address', () => {
  it('of exactly the principal ends the stack with a reason, for any memos', async () => {
    const staker = await createHolder()
    const before = await yieldOf(staker)
    const stack = await staker.stack(5 * ONE, YEAR)
    const { address: vault } = await vaultAccount(escrowOf(service, staker))
    const { address } = positionOf(stack)
    await makePosition(service, staker, stack, { holder: vault, amount: 5n * BigInt(ONE) })
    await flood(service, address, 11, String(stack.body.id))
    await travel(service, LIFETIME_MS)
    await runJobs()
    expect(await staker.status(stack)).toMatchObject({ status: 'failed', reason: 'position_foreign' })
    expect(await yieldOf(staker)).toEqual(before)
    expect(await isPaused()).toBe(false)
  })

  it('and takes away again before the stack’s last block leaves the stack to land', async () => {
    const staker = await createHolder()
    const stack = await staker.stack(5 * ONE, YEAR)
    const holder = parseAddress(staker.owner)
    const address = await makePosition(service, staker, stack, { holder, amount: 1n })
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'open' })
    const transfer = {
      source: address,
      destination: await ownerTokensOf(service, staker.owner),
      mint: mintOf(service),
      amount: 1n,
      decimals: 9,
    }
    const approval = { owner: holder }
    const emptied = [transferChecked(transfer, approval), closeAccount(address, holder, approval)]
    await perform(service, [staker.keypair], emptied)
    expect((await staker.relay(stack)).status).toBe(200)
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
  })

  it('at the vault’s address, and closes, leaves the first stack to land, too', async () => {
    const staker = await createStaker(service)
    const stack = await staker.stack(5 * ONE, YEAR)
    const holder = parseAddress(staker.owner)
    const vault = await vaultAccount(escrowOf(service, staker))
    const account = { ...vault, base: holder, program: TOKEN_PROGRAM }
    await perform(
      service,
      [staker.keypair],
      [
        createAccountWithSeed(account, RENT, BigInt(TOKEN_ACCOUNT_BYTES)),
        initializeAccount3(vault.address, mintOf(service), holder),
      ],
    )
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'open' })
    await perform(service, [staker.keypair], [closeAccount(vault.address, holder, { owner: holder })])
    expect((await staker.relay(stack)).status).toBe(200)
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'landed' })
    expect(await yieldOf(staker)).toMatchObject({ taken: yieldIn(stack) })
  })
})

it('makes at most eight calls of the node to read a vault, for any stacks', async () => {
  const staker = await createHolder()
  for (let count = 0; count < 5; count += 1) {
    const stack = await staker.stack(ONE, 7)
    expect(stack.status).toBe(200)
    await flood(service, positionOf(stack).address, 3, String(stack.body.id))
  }
  await travel(service, LIFETIME_MS)
  const counts: number[] = []
  for (let reading = 0; reading < 12; reading += 1) {
    counts.push(await service.countRpc(() => staker.vault()))
    await travel(service, 600_000)
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(8)
  await travel(service, DAY)
  await runJobs()
  expect(
    await rowsOf(
      service,
      `select status from vault_intents where owner = $1 and status = 'open'`,
      staker.owner,
    ),
  ).toEqual([])
})
