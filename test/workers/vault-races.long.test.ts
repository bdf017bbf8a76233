import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECHECK_MS } from '../../lib/transactions/confirmation/check-schedule.ts'
import { fateOf, LIFETIME_MS, positionsIn, positionsOf, rowsOf } from '../support/chain.ts'
import { type Answer, type Body, type Fault, type Service, startService } from '../support/service.ts'
import { balanceOf, connectionOf, createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'], stopped: true })
})
afterAll(() => service.stop())

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))

/** The yield of 100 CRED over seven days: floor(100e9 · 800 · 7 / (10000 · 365)). */
const WEEK_YIELD = (100_000_000_000n * 800n * 7n) / (10_000n * 365n)

/** A staker whose stacks of 100 CRED for seven days have all landed and are settled. */
async function createHolder(positions = 1): Promise<Staker> {
  const staker = await createStaker(service)
  // The first opens the vault; a second that would open it too could not land.
  for (let count = 0; count < positions; count += 1) {
    const built = await staker.stack(100 * ONE, 7)
    expect((await staker.relay(built)).status).toBe(200)
  }
  expect(await positionsOf(staker)).toHaveLength(positions)
  return staker
}

const later = async (staker: Staker, ms: number) => {
  await travel(service, ms)
  await staker.signInAgain()
}

/** Relays the even ones and sends the odd ones past the service, all at once. */
const sendAll = (staker: Staker, built: Answer[]) =>
  times(built.length, async (index) => {
    const one = built[index]
    if (!one) throw new Error('nothing built')
    if (index % 2 === 0) return (await staker.relay(one)).status === 200
    return staker.send(one).then(
      () => true,
      () => false,
    )
  })

const intentsOf = (owner: string, kind: string) =>
  rowsOf(
    service,
    'select id, status from vault_intents where owner = $1 and kind = $2 order by id',
    owner,
    kind,
  )

describe('parallel withdrawals', () => {
  it('of twenty signed and sent ones, one lands, and the position is closed once', async () => {
    const staker = await createHolder()
    const [position] = await positionsOf(staker)
    await later(staker, 8 * DAY)
    const lamports = await connectionOf(service).getBalance(staker.keypair.publicKey)
    const built = await times(20, () => staker.unstack(0))
    expect(built.map(({ status }) => status)).toEqual(Array(20).fill(200))

    const sent = await sendAll(staker, built)
    // Some callers were given the same transaction: sending that again is confirmed once.
    const landed = built.filter((_, index) => sent[index]).map(({ body }) => body.id)
    expect(new Set(landed).size).toBe(1)

    expect(await staker.cred()).toBe(1000n * BigInt(ONE) + WEEK_YIELD)
    expect(await balanceOf(service, position?.address)).toBeUndefined()
    // The position's rent (of 165 bytes) comes back, one network fee of two signatures and 200,000 units is
    // paid.
    const rent = await connectionOf(service).getMinimumBalanceForRentExemption(165)
    const fee = 2 * 5_000 + 200
    expect(await connectionOf(service).getBalance(staker.keypair.publicKey)).toBe(lamports + rent - fee)
    expect((await staker.vault()).body).toMatchObject({ balances: { cred: 0 }, positions: [] })
    expect(
      await rowsOf(service, 'select id, status, escrowed from positions where owner = $1', staker.owner),
    ).toEqual([['0', 'withdrawn', '0']])
    // All of them wanted the position gone, and it is.
    const statuses = (await intentsOf(staker.owner, 'unstack')).map(([, status]) => status)
    expect(statuses).toEqual(Array(new Set(built.map(({ body }) => body.id)).size).fill('landed'))
    expect((await staker.unstack(0)).body).toMatchObject({ status: 400, code: 'position_not_found' })
  })
})

describe('parallel claims', () => {
  it('twenty open one intent, and every caller gets its transaction', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const built = await times(20, () => staker.claim(0))
    expect(built.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(built.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(built.map(({ body }) => body.transaction)).size).toBe(1)
    expect(await intentsOf(staker.owner, 'claim')).toEqual([[built[0]?.body.id, 'open']])

    // Signed and sent twenty times it is still one transaction.
    const before = await staker.cred()
    const [due] = await rowsOf(
      service,
      'select amount from vault_intent_legs where intent_id = $1',
      String(built[0]?.body.id),
    )
    await sendAll(staker, built)
    expect(await staker.cred()).toBe(before + BigInt(due?.[0] ?? 0))
    const [position] = await positionsOf(staker)
    expect(position?.claimed).toBe(Number(due?.[0]))
    expect(position?.escrowed).toBe(100 * ONE + Number(WEEK_YIELD) - Number(due?.[0]))
  })

  it('asking again while it is valid gives the same transaction, at any time', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const first = await staker.claim(0)
    for (const ms of [1_000, 2_001, 30_000]) {
      await travel(service, ms)
      const again = await staker.claim(0)
      expect(again.body).toEqual(first.body)
    }
    expect((await staker.relay(first)).status).toBe(200)
    expect(await fateOf(service, staker, first)).toMatchObject({ status: 'landed' })
    expect((await staker.claim(0)).body.id).not.toBe(first.body.id)
    expect(await intentsOf(staker.owner, 'claim')).toHaveLength(2)
  })

  it('one that overlaps an open claim and differs from it waits', async () => {
    const staker = await createHolder(2)
    await later(staker, DAY)
    const all = await staker.claim()
    expect(all.status).toBe(200)
    expect(await positionsIn(service, all)).toHaveLength(2)
    for (const id of [0, 1]) {
      const other = await staker.claim(id)
      expect(other.body).toMatchObject({ status: 409, code: 'claim_open' })
      const seconds = Number(other.headers.get('retry-after'))
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(60)
    }
    expect((await staker.claim()).body).toEqual(all.body)
    expect(await intentsOf(staker.owner, 'claim')).toHaveLength(1)
  })

  it('claims of one, of the other and of all positions never cover a position twice', async () => {
    const staker = await createHolder(2)
    await later(staker, DAY)
    const answers = await times(20, (index) => staker.claim([0, 1, undefined][index % 3]))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const covered = await rowsOf(
      service,
      `select legs.address from vault_intents join vault_intent_legs legs on legs.intent_id = vault_intents.id
       where owner = $1 and kind = 'claim' and status = 'open'`,
      staker.owner,
    )
    expect(covered.length).toBeGreaterThan(0)
    expect(new Set(covered.map(([address]) => address)).size).toBe(covered.length)
  })
})

describe('the same signed transaction sent twice', () => {
  it('lands once, by relay and past the service', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(100 * ONE, 7)
    const relayed = await staker.relay(built)
    expect(relayed.status).toBe(200)
    await expect(staker.send(built)).rejects.toThrow(/already been processed/)
    const repeated = await staker.relay(built)
    expect(repeated.body).toEqual(relayed.body)
    await sendAll(staker, Array(10).fill(built))
    expect(await staker.cred()).toBe(900n * BigInt(ONE))
    expect(await positionsOf(staker)).toHaveLength(1)
  })

  it('lands once when it went past the service first', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(100 * ONE, 7)
    const signature = await staker.send(built)
    expect((await staker.relay(built)).body).toEqual({ id: built.body.id, signature })
    expect(await staker.cred()).toBe(900n * BigInt(ONE))
  })
})

describe('an expired transaction', () => {
  const expectDead = async (staker: Staker, built: Answer) => {
    expect((await staker.relay(built)).body).toMatchObject({ status: 409, code: 'transaction_expired' })
    await expect(staker.send(built)).rejects.toThrow(/Blockhash not found/)
  }

  it('of each kind can be asked for again, and the old one can not land any more', async () => {
    const staker = await createHolder()
    await later(staker, 8 * DAY)
    const dropped = [await staker.stack(ONE, 30), await staker.claim(0), await staker.unstack(0)]
    expect(dropped.map(({ status }) => status)).toEqual([200, 200, 200])
    await travel(service, LIFETIME_MS)
    for (const built of dropped) {
      expect(await fateOf(service, staker, built)).toMatchObject({ status: 'expired' })
      await expectDead(staker, built)
    }
    const again = [await staker.stack(ONE, 30), await staker.claim(0)]
    for (const [index, built] of again.entries()) {
      expect(built.status).toBe(200)
      expect(built.body.transaction).not.toBe(dropped[index]?.body.transaction)
      expect((await staker.relay(built)).status).toBe(200)
    }
    expect((await staker.relay(await staker.unstack(0))).status).toBe(200)
    expect(await staker.cred()).toBe(999n * BigInt(ONE) + WEEK_YIELD)
    for (const built of dropped) await expectDead(staker, built)
  })

  it('is replaced by the next request, without anyone asking for its fate first', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const dropped = await staker.claim(0)
    await travel(service, LIFETIME_MS)
    let next = await staker.claim(0)
    // The local chain may have made a block between the two calls of one settlement: then a later one knows.
    for (let attempt = 0; next.status === 409 && attempt < 5; attempt++) {
      expect(next.body.code).toBe('claim_open')
      await travel(service, 2_001)
      next = await staker.claim(0)
    }
    expect(next.status).toBe(200)
    expect(next.body.id).not.toBe(dropped.body.id)
    expect(await intentsOf(staker.owner, 'claim')).toEqual([
      [dropped.body.id, 'expired'],
      [next.body.id, 'open'],
    ])
  })

  it('is not recorded as expired by its age when it has landed', async () => {
    const staker = await createHolder()
    await later(staker, DAY)
    const claim = await staker.claim(0)
    await staker.send(claim)
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'landed', positionId: 0 })
  })
})

describe('a landed transaction that was never reported', () => {
  it('is found when anyone asks for the vault', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(100 * ONE, 7)
    await staker.send(built)
    expect(await positionsOf(staker)).toMatchObject([{ id: 0, amount: 100 * ONE, claimed: 0 }])
    expect(await staker.status(built)).toMatchObject({ status: 'landed', positionId: 0 })
  })

  it('is found by the settlement Worker when nobody asks', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(100 * ONE, 7)
    await staker.send(built)
    await service.runJobs('settlement')
    expect(await intentsOf(staker.owner, 'stack')).toEqual([[built.body.id, 'landed']])
    expect(await rowsOf(service, 'select id, status from positions where owner = $1', staker.owner)).toEqual([
      ['0', 'open'],
    ])
  })

  it('is found by the settlement Worker even when it was given up before', async () => {
    const staker = await createStaker(service)
    const built = await staker.stack(100 * ONE, 7)
    await staker.send(built)
    await travel(service, LIFETIME_MS)
    await service.withRpcFault(withoutAccounts, async () => {
      expect(await fateOf(service, staker, built)).toMatchObject({ status: 'expired' })
    })
    expect((await staker.vault()).status).toBe(404)
    await travel(service, RECHECK_MS)
    await times(5, () => service.runJobs('settlement'))
    expect(await positionsOf(staker)).toMatchObject([{ id: 0, amount: 100 * ONE }])
    expect(await intentsOf(staker.owner, 'stack')).toEqual([[built.body.id, 'landed']])
    expect(await openStacks(staker)).toBe(0)
  })

  /** A node that is behind: it knows of no account. */
  const withoutAccounts: Fault = async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    const answer = await service.solana.outbound(request)
    if (!answer || method !== 'getMultipleAccounts') return answer ?? new Response(null, { status: 404 })
    const { result, ...rest } = (await answer.json()) as { result: { context: unknown; value: unknown[] } }
    return Response.json({ ...rest, result: { ...result, value: result.value.map(() => null) } })
  }
})

const openStacks = async ({ owner }: Staker) => {
  const [row] = await rowsOf(service, 'select open_stacks from vaults where owner = $1', owner)
  return Number(row?.[0])
}

describe('settlement', () => {
  it('that runs eight times at once records everything once', async () => {
    const stakers = [await createHolder(), await createHolder(), await createHolder()]
    const built = await Promise.all(
      stakers.map(async (staker) => {
        const stacks = [
          await staker.stack(ONE, 7),
          await staker.stack(2 * ONE, 30),
          await staker.stack(3 * ONE),
        ]
        for (const one of stacks) await staker.send(one)
        return stacks
      }),
    )
    await times(8, () => service.runJobs('settlement'))
    for (const [index, staker] of stakers.entries()) {
      const rows = await rowsOf(
        service,
        'select id, principal from positions where owner = $1 order by id',
        staker.owner,
      )
      expect(rows.map(([id]) => id)).toEqual(['0', '1', '2', '3'])
      expect(new Set(rows.map(([, principal]) => principal)).size).toBe(4)
      expect(await openStacks(staker)).toBe(0)
      const landed = (await intentsOf(staker.owner, 'stack')).filter(([, status]) => status === 'landed')
      expect(landed).toHaveLength((built[index]?.length ?? 0) + 1)
    }
  })

  it('that runs eight times at once counts a payout once', async () => {
    const staker = await createHolder(2)
    await later(staker, DAY)
    const claim = await staker.claim()
    await staker.send(claim)
    await times(8, () => service.runJobs('settlement'))
    for (const position of await positionsOf(staker)) {
      expect(position.claimed).toBe(100 * ONE + Number(WEEK_YIELD) - Number(position.escrowed))
      expect(await balanceOf(service, position.address)).toBe(BigInt(Number(position.escrowed)))
    }
  })

  it('records a claim of several positions when one was withdrawn before any read', async () => {
    const staker = await createStaker(service)
    for (const days of [7, 365]) await staker.relay(await staker.stack(100 * ONE, days))
    expect(await positionsOf(staker)).toHaveLength(2)
    await later(staker, 8 * DAY)
    const claim = await staker.claim()
    // The next caller has the lease: the withdrawal is built before the payout is settled.
    await service.call('GET', `/vault?owner=${staker.owner}`)
    await staker.send(claim)
    await staker.send(await staker.unstack(0))
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, claim)).toMatchObject({ status: 'landed' })
    const [position] = await positionsOf(staker)
    expect(position?.escrowed).toBe(Number(await balanceOf(service, position?.address)))
    expect(Number(position?.claimed)).toBe(116 * ONE - Number(position?.escrowed))
  })
})

describe('a position withdrawn before anyone read it', () => {
  const claimThenUnstack = async (staker: Staker, sendClaim: boolean) => {
    await later(staker, 8 * DAY)
    const claim = await staker.claim(0)
    await service.call('GET', `/vault?owner=${staker.owner}`)
    if (sendClaim) await staker.send(claim)
    const unstack = await staker.unstack(0)
    await staker.send(unstack)
    await travel(service, LIFETIME_MS)
    expect(await fateOf(service, staker, unstack)).toMatchObject({ status: 'landed' })
    return fateOf(service, staker, claim)
  }

  it('leaves its landed claim unchanged', async () => {
    expect(await claimThenUnstack(await createHolder(), true)).toMatchObject({ status: 'landed' })
  })

  it('leaves the claim that was not sent expired', async () => {
    expect(await claimThenUnstack(await createHolder(), false)).toMatchObject({ status: 'expired' })
  })
})

describe('open stacks', () => {
  it('of twenty parallel requests five are built, also for a new wallet', async () => {
    const staker = await createStaker(service)
    const answers = await times(20, () => staker.stack(ONE, 7))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(15)
    for (const { body, headers } of refused) {
      expect(body.code).toBe('too_many_open_stacks')
      expect(headers.get('retry-after')).toBe('60')
    }
    expect(await intentsOf(staker.owner, 'stack')).toHaveLength(5)
    expect(await openStacks(staker)).toBe(5)
  })

  it('stop counting when they expire and when they land', async () => {
    const staker = await createHolder()
    const expiring = await times(5, () => staker.stack(ONE, 7))
    expect((await staker.stack(ONE, 7)).status).toBe(409)
    await travel(service, LIFETIME_MS)
    for (const built of expiring) {
      expect(await fateOf(service, staker, built)).toMatchObject({ status: 'expired' })
    }
    expect(await openStacks(staker)).toBe(0)

    const stacks = await times(5, () => staker.stack(ONE, 7))
    expect(stacks.map(({ status }) => status)).toEqual(Array(5).fill(200))
    for (const built of stacks) await staker.send(built)
    await travel(service, 2_001)
    expect((await staker.stack(ONE, 7)).status).toBe(200)
    expect(await openStacks(staker)).toBe(1)
    expect((await positionsOf(staker)).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('anonymous readers', () => {
  it('a hundred at once cause a handful of RPC calls, with any open transactions', async () => {
    const staker = await createHolder()
    await later(staker, 8 * DAY)
    await staker.stack(ONE, 7)
    await staker.claim(0)
    await staker.unstack(0)
    // Old enough for the block height to be asked for, too.
    await travel(service, 45_000)
    const answers: Answer[] = []
    const calls = await service.countRpc(async () => {
      answers.push(...(await times(100, () => service.call('GET', `/vault?owner=${staker.owner}`))))
    })
    // Accounts and block height, for the one that took the lease.
    expect(calls).toBe(2)
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect((body.positions as Body[])[0]).toMatchObject({ id: 0, claimed: 0 })
    }
  })

  it('cause none when nothing is open', async () => {
    const staker = await createHolder()
    await travel(service, 10_000)
    const calls = await service.countRpc(() =>
      times(20, () => service.call('GET', `/vault?owner=${staker.owner}`)),
    )
    expect(calls).toBe(0)
  })
})
