import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { vaultAccount } from '../../lib/vault/addresses.ts'
import { FINALITY_MS, rowsOf } from '../support/chain.ts'
import {
  disguisePosition,
  drainYield,
  escrowOf,
  exitEarly,
  makePosition,
  positionOf,
  putInBy,
} from '../support/forger.ts'
import { type Fault, type Service, startService } from '../support/service.ts'
import { balanceOf, createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'

let service: Service
let honest: Staker
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs', 'marketplace'] })
  honest = await createStaker(service)
})
afterAll(() => service.stop())
beforeEach(async () => {
  await rowsOf(service, 'delete from vault_generations')
  await honest.signInAgain()
})

const runJob = async () => {
  await travel(service, 600_000)
  await service.runJobs('settlement')
}
/** One run sees an early payout, and the next one confirms it: the payout has to be final. */
const runJobs = async () => {
  await runJob()
  await runJob()
}

const isPaused = async () =>
  (await rowsOf(service, 'select 1 from vault_generations where paused_at is not null')).length > 0

/** Returns the database's observation of a position. */
const earlyOf = async (position: string) => {
  const [row] = await rowsOf(
    service,
    'select early, suspected_slot from positions where address = $1',
    position,
  )
  return row
}

/** Lets a step happen before the chain answers the n-th call of this method that it is asked. */
function beforeAnswer(method: string, step: () => Promise<unknown>, nth = 1): Fault {
  let calls = 0
  return async (request) => {
    const call = (await request.clone().json()) as { method: string }
    if (call.method === method) calls += 1
    if (call.method === method && calls === nth) await step()
    return service.solana.outbound(request) ?? new Response(null, { status: 500 })
  }
}

/** A staker whose position is open and seen. */
async function createHolder(days = 7) {
  const staker = await createStaker(service)
  const stack = await staker.stack(100 * ONE, days)
  expect((await staker.relay(stack)).status).toBe(200)
  await staker.vault()
  return { staker, stack, position: positionOf(stack).address }
}

const expectPaused = async () => {
  const answer = await honest.stack(ONE, 7)
  expect(answer.body).toMatchObject({ status: 503, code: 'stacking_paused' })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('the circuit breaker', () => {
  it('stops new stakes after an early payout by the recovery key, not claims', async () => {
    const [thief, other] = [await createHolder(), await createHolder()]
    expect((await honest.stack(ONE, 7)).status).toBe(200)
    await exitEarly(service, thief.staker, thief.position)
    await runJobs()
    await expect
      .poll(() => service.logs.lines)
      .toContainEqual(expect.objectContaining({ level: 'error', earlyPayout: thief.position, generation: 1 }))
    await expectPaused()
    await travel(service, 8 * DAY)
    await other.staker.signInAgain()
    expect((await other.staker.claim(0)).status).toBe(200)
    expect((await other.staker.relay(await other.staker.unstack(0))).status).toBe(200)
    // Resumed by an operator it stays so: the same payout does not stop it again.
    await rowsOf(service, 'update vault_generations set paused_at = null')
    await runJobs()
    await honest.signInAgain()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })

  it('sees an early payout behind an account of another mint at the position’s address', async () => {
    const { staker, stack } = await createHolder()
    await exitEarly(service, staker, positionOf(stack).address)
    await disguisePosition(service, staker, { ...positionOf(stack), amount: putInBy(stack) })
    await runJobs()
    await expectPaused()
    expect((await staker.vault()).body).toMatchObject({ positions: [] })
  })

  it('is tripped by nothing that needs no recovery key', async () => {
    const { staker } = await createHolder()
    await travel(service, 3 * DAY)
    await staker.signInAgain()
    await staker.relay(await staker.claim(0))
    await runJobs()
    await travel(service, 8 * DAY)
    await staker.signInAgain()
    await staker.relay(await staker.unstack(0))
    await runJobs()
    await honest.signInAgain()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })

  it('ignores an early payout that an operator has announced', async () => {
    const { staker, position } = await createHolder()
    await rowsOf(service, `update positions set early = 'announced' where address = $1`, position)
    await exitEarly(service, staker, position)
    await runJobs()
    expect((await honest.stack(ONE, 7)).status).toBe(200)
  })
})

describe('claims during a job run', () => {
  /** Milliseconds from a run's read of the chain to its answer, in which a claim is built and lands. */
  const GAPS = [0, 1, 399, 400, 1_000, 1_300, 3_000, 12_799, 12_800, 59_000]

  it.each(GAPS)('that land %i ms into a run’s read look honest to it, and to the next ones', async (gap) => {
    const { staker, position } = await createHolder()
    await travel(service, DAY)
    await staker.signInAgain()
    const claimInBetween = async () => {
      await travel(service, gap)
      await staker.send(await staker.claim(0))
    }
    await travel(service, 600_000)
    const fault = beforeAnswer('getMultipleAccounts', claimInBetween)
    await service.withRpcFault(fault, () => service.runJobs('settlement'))
    expect(await earlyOf(position)).toEqual([null, null])
    await runJobs()
    expect(await isPaused()).toBe(false)
    expect(await earlyOf(position)).toEqual([null, null])
  })

  it('that land while a Worker builds the next one look honest to it', async () => {
    const { staker, position } = await createHolder()
    await travel(service, DAY)
    await staker.signInAgain()
    const claimInBetween = async () => {
      await travel(service, 3_000)
      await staker.send(await staker.claim(0))
    }
    await service.withRpcFault(beforeAnswer('getMultipleAccounts', claimInBetween), () => staker.claim(0))
    expect(await earlyOf(position)).toEqual([null, null])
  })

  it('by a Worker whose clock is most of a minute ahead look honest', async () => {
    const { staker, position } = await createHolder()
    await travel(service, DAY)
    await staker.signInAgain()
    await staker.send(await staker.claim(0))
    // The position as a Worker judges it whose clock is behind: it began later.
    const later = `update positions set staked_at = staked_at + interval '59 s' where address = $1`
    await rowsOf(service, later, position)
    await service.runJobs('settlement')
    expect(await earlyOf(position)).toEqual([null, null])
  })
})

describe('an early payout', () => {
  it('of the yield alone is confirmed by the run after the first one', async () => {
    const { staker, position } = await createHolder()
    await drainYield(service, staker, position, 100n * BigInt(ONE))
    await runJob()
    const [early, slot] = (await earlyOf(position)) ?? []
    expect(early).toBe('seen')
    expect(await isPaused()).toBe(false)
    // Later checks do not move the slot that has to be final.
    await staker.signInAgain()
    await staker.claim(0)
    expect(await earlyOf(position)).toEqual(['seen', slot])
    await runJob()
    expect(await earlyOf(position)).toEqual(['confirmed', null])
    await expectPaused()
  })

  it('is not confirmed by what is final before it, and waits', async () => {
    const { staker, position } = await createHolder()
    await drainYield(service, staker, position, 100n * BigInt(ONE))
    await runJob()
    await travel(service, FINALITY_MS / 2)
    await rowsOf(
      service,
      'update positions set suspected_slot = suspected_slot + 1500 where address = $1',
      position,
    )
    await service.runJobs('settlement')
    expect((await earlyOf(position))?.[0]).toBe('seen')
    await expect
      .poll(() => service.logs.lines)
      .toContainEqual(expect.objectContaining({ job: 'earlyPayouts', waiting: 1, failedCalls: 0 }))
    await runJobs()
    expect(await earlyOf(position)).toEqual(['confirmed', null])
  })

  it('is taken back where what is final refutes it, and the position is watched again', async () => {
    const { staker, position } = await createHolder()
    const slot = `update positions set early = 'seen', suspected_slot = seen_slot where address = $1`
    await rowsOf(service, slot, position)
    await runJob()
    expect(await earlyOf(position)).toEqual([null, null])
    expect(await isPaused()).toBe(false)
    await drainYield(service, staker, position, 100n * BigInt(ONE))
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('is not refuted by a read of before what was recorded since', async () => {
    const { staker, position } = await createHolder(365)
    // So little early that it has accrued by the next run.
    const whole = (await balanceOf(service, position)) ?? 0n
    await drainYield(service, staker, position, whole - 507n * 900n)
    await runJob()
    expect((await earlyOf(position))?.[0]).toBe('seen')
    await travel(service, 590_000)
    await exitEarly(service, staker, position)
    await staker.claim(0)
    await travel(service, 2_000)
    await service.runJobs('settlement')
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('leaves the position open, and watched, when it is reverted for one read', async () => {
    const { staker, stack, position } = await createHolder()
    const { address: vault } = await vaultAccount(escrowOf(service, staker))
    await exitEarly(service, staker, position)
    await runJob()
    await makePosition(service, staker, stack, { holder: vault, amount: putInBy(stack) })
    await runJob()
    expect(await earlyOf(position)).toEqual([null, null])
    expect((await staker.vault()).body.positions).toMatchObject([{ address: position }])
    await exitEarly(service, staker, position)
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('closes an honest position only until the next run, after one wrong answer', async () => {
    const { staker, position } = await createHolder()
    const wrong: Fault = async (request) => {
      const call = (await request.clone().json()) as { method: string; params: [string[]] }
      const answer = await (service.solana.outbound(request) ?? new Response(null, { status: 500 }))
      if (call.method !== 'getMultipleAccounts') return answer
      const body = (await answer.json()) as { result: { value: unknown[] } }
      body.result.value[call.params[0].indexOf(position)] = null
      return Response.json(body)
    }
    await travel(service, DAY)
    await staker.signInAgain()
    await service.withRpcFault(wrong, () => service.runJobs('settlement'))
    expect((await earlyOf(position))?.[0]).toBe('seen')
    await runJob()
    expect(await earlyOf(position)).toEqual([null, null])
    expect((await staker.claim(0)).status).toBe(200)
    expect(await isPaused()).toBe(false)
  })

  it('is remembered when settings of other keys run for one run', async () => {
    const { staker, position } = await createHolder()
    await exitEarly(service, staker, position)
    await runJob()
    await service.redeploy({ VAULT_RECOVERY_ADDRESSES: `1:${staker.owner}` })
    await runJob()
    await service.redeploy({})
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('trips the breaker again after one was confirmed and an operator has resumed', async () => {
    const { staker, position } = await createHolder()
    await drainYield(service, staker, position, 100n * BigInt(ONE))
    await runJobs()
    await rowsOf(service, 'update vault_generations set paused_at = null')
    await runJobs()
    expect(await isPaused()).toBe(false)
    await exitEarly(service, staker, position)
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('under an open claim is seen after one that was confirmed, too', async () => {
    const { staker, position } = await createHolder(365)
    const whole = (await balanceOf(service, position)) ?? 0n
    await drainYield(service, staker, position, whole - BigInt(ONE) / 100n)
    await runJobs()
    await rowsOf(service, 'update vault_generations set paused_at = null')
    await travel(service, 2 * DAY)
    await staker.signInAgain()
    await runJob()
    expect((await staker.claim(0)).status).toBe(200)
    await drainYield(service, staker, position, 100n * BigInt(ONE))
    await staker.vault()
    await runJobs()
    expect(await isPaused()).toBe(true)
  })

  it('that can’t be recorded does not stop another from being confirmed', async () => {
    const [one, two] = [await createHolder(), await createHolder()]
    for (const { staker, position } of [one, two]) await exitEarly(service, staker, position)
    await runJob()
    await rowsOf(
      service,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    )
    await rowsOf(
      service,
      `create trigger refuse before update on positions for each row
       when (new.early = 'confirmed' and new.address = '${one.position}') execute function refuse()`,
    )
    onTestFinished(async () => {
      await rowsOf(service, 'drop trigger refuse on positions')
    })
    await runJob()
    expect(await isPaused()).toBe(true)
    expect((await earlyOf(two.position))?.[0]).toBe('confirmed')
    expect((await earlyOf(one.position))?.[0]).toBe('seen')
  })
})

describe('VAULT_STACKING=off', () => {
  it('stops new stakes; what was cosigned before is still relayed, and payouts go on', async () => {
    const { staker } = await createHolder()
    const before = await staker.stack(ONE, 7)
    await service.redeploy({ VAULT_STACKING: 'off' })
    try {
      await expectPaused()
      expect((await staker.relay(before)).status).toBe(200)
      await travel(service, 9 * DAY)
      await staker.signInAgain()
      expect((await staker.claim(0)).status).toBe(200)
      expect((await staker.unstack(0)).status).toBe(200)
    } finally {
      await service.redeploy({})
    }
  })
})

it('settings without names are an operator’s mistake that no request hides', async () => {
  await service.redeploy({ VAULT_RECOVERY_ADDRESSES: service.solana.keys.recovery })
  try {
    expect((await service.call('GET', `/vault?owner=${honest.owner}`)).status).toBe(500)
  } finally {
    await service.redeploy({})
  }
})

it('leaves a stack of an unknown key version open, not expired', async () => {
  const staker = await createStaker(service)
  const stack = await staker.stack(ONE, 7)
  await staker.relay(stack)
  // As an old settlement Worker would see a stack of a generation that came after it was deployed.
  await rowsOf(service, 'update vault_intents set generation = 2 where id = $1', String(stack.body.id))
  await travel(service, 120_000)
  await service.runJobs('settlement')
  expect(
    await rowsOf(service, 'select status from vault_intents where id = $1', String(stack.body.id)),
  ).toEqual([['open']])
})
