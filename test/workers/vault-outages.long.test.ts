import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, type Fault, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'
import { eventually } from '../support/webhooks.ts'

let service: Service
let staker: Staker
let signedStack: { id: unknown; transaction: string }
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'events', 'jobs'] })
  staker = await createStaker(service)
  await staker.relay(await staker.stack(100 * ONE, 7))
  await staker.vault()
  await travel(service, 8 * DAY)
  await staker.signInAgain()
  const open = await staker.stack(ONE, 7)
  signedStack = { id: open.body.id, transaction: staker.sign(open) }
})
afterAll(() => service.stop())

const answering =
  (result: unknown): Fault =>
  () =>
    Response.json({ jsonrpc: '2.0', id: 1, result })

/** Breaks one method and lets the others through. */
const only =
  (method: string, fault: Fault): Fault =>
  async (request) => {
    const { method: asked } = (await request.clone().json()) as { method: string }
    return asked === method ? fault(request) : (service.solana.outbound(request) ?? fault(request))
  }

const faults: [string, Fault][] = [
  [
    'is unreachable',
    () => {
      throw new Error('connection refused')
    },
  ],
  ['answers 502', () => new Response('<h1>bad gateway</h1>', { status: 502 })],
  [
    'answers an error',
    () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'behind' } }),
  ],
  ['answers null', answering(null)],
  ['answers what is of another kind', answering({ context: { slot: 'x' }, value: [{ lamports: -1 }] })],
  ['answers too few accounts', answering({ context: { slot: 1 }, value: [] })],
]

const openIntents = async () => {
  const [result] = await service.database.engine.run([
    { query: "select count(*) from vault_intents where status = 'open'", params: [] },
  ])
  return result?.rows[0]?.[0]
}

const expectUnavailable = (answer: Answer) => {
  expect(answer.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe.each(faults)('while the RPC node %s', (_name, fault) => {
  it.each(['getLatestBlockhash', 'getMultipleAccounts'])(
    'at %s, building returns 503 and leaves nothing behind; the next request works',
    async (method) => {
      const before = await openIntents()
      const broken = only(method, fault)
      const answers = await service.withRpcFault(broken, async () => [
        await staker.stack(ONE, 30),
        await staker.claim(0),
        await staker.unstack(0),
      ])
      for (const answer of answers) expectUnavailable(answer)
      expect(await openIntents()).toBe(before)
      expect((await staker.unstack(0)).status).toBe(200)
    },
  )

  it('a vault is shown as last recorded, and terms and relay answer 503', async () => {
    await travel(service, 2_001)
    const [vault, terms, relayed] = await service.withRpcFault(fault, async () => [
      await service.call('GET', `/vault?owner=${staker.owner}`),
      await service.call('GET', '/vault/terms'),
      await staker.call('POST', '/vault/transactions', { body: signedStack }),
    ])
    expect(vault.body).toMatchObject({ exists: true, balances: { cred: 100 * ONE } })
    expectUnavailable(terms)
    expectUnavailable(relayed)
  })
})

it('answers 503 when the RPC node has not answered within its time limit', async () => {
  // Of its own: a node that answers is later than so short a limit on a busy machine.
  const constants = { vault: { RPC_TIMEOUT_MS: 1_000 } }
  const impatient = await startService({ groups: ['auth', 'vault'], constants })
  onTestFinished(() => impatient.stop())
  const silent: Fault = () => new Promise(() => {})
  expectUnavailable(await impatient.withRpcFault(silent, () => impatient.call('GET', '/vault/terms')))
})

it('leaves old transactions open and loses no answer when no block height is known', async () => {
  const built = await staker.stack(ONE, 30)
  await travel(service, 120_000)
  const broken = only('getEpochInfo', answering({ absoluteSlot: 'x' }))
  const [vault, fate] = await service.withRpcFault(broken, async () => [
    await service.call('GET', `/vault?owner=${staker.owner}`),
    await staker.status(built),
  ])
  expect(vault.status).toBe(200)
  expect(fate).toMatchObject({ status: 'open' })
  await staker.vault()
  expect(await staker.status(built)).toMatchObject({ status: 'expired' })
})

describe('while the database fails after the chain was asked', () => {
  it('building answers 503 and records nothing, and the next request works', async () => {
    const before = await openIntents()
    let calls = 0
    const second: Fault = (request) => {
      calls += 1
      if (calls === 2) throw new Error('connection refused')
      return service.database.handler(request)
    }
    for (const build of [() => staker.stack(ONE, 30), () => staker.unstack(0)]) {
      calls = 0
      expectUnavailable(await service.withFault(second, build))
    }
    expect(await openIntents()).toBe(before)
    expect((await staker.unstack(0)).status).toBe(200)
  })

  it('an answer that is no database’s is 503 for reads of the vault too', async () => {
    const page: Fault = () => new Response('<html>maintenance</html>')
    const answer = await service.withFault(page, () => service.call('GET', `/vault?owner=${staker.owner}`))
    expectUnavailable(answer)
  })
})

describe('a job run that can’t do its work says why', () => {
  /** The lines of one job that a run of the cron has logged, error lines first, once there are so many. */
  const linesOfRun = async (job: string, count: number) => {
    const from = service.logs.lines.length
    await service.runJobs('settlement')
    const lines = () => service.logs.lines.slice(from).filter((line) => line.job === job)
    await eventually('the run is logged', () => lines().length >= count)
    return lines().toSorted((a, b) => String(a.level).localeCompare(String(b.level)))
  }

  it.each([
    ['positions', 'getMultipleAccounts'],
    ['vaults', 'getEpochInfo'],
  ])('%s: where the chain does not answer %s', async (job, method) => {
    await staker.stack(ONE, 30)
    await travel(service, 120_000)
    const unreachable: Fault = () => {
      throw new Error(`connection refused at https://rpc.example.com/${staker.owner}`)
    }
    const lines = await service.withRpcFault(only(method, unreachable), () => linesOfRun(job, 2))
    // The call, and the step, in which all calls have failed.
    const line = { level: 'error', job, reason: `${method} was not answered` }
    expect(lines).toEqual([line, line])
  })

  it('where the database refuses, by its code alone; the next run does the work', async () => {
    await service.database.engine.execScript(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no % today', new.address using errcode = 'P0001'; end $$;
      create trigger refuse before update on positions for each row
        when (new.seen_at > 'epoch') execute function refuse()`)
    const refused = await linesOfRun('positions', 2)
    await service.database.engine.execScript('drop trigger refuse on positions; drop function refuse')
    const line = { level: 'error', job: 'positions', reason: 'SQLSTATE P0001' }
    expect(refused).toEqual([line, line])
    expect(await linesOfRun('positions', 1)).toEqual([
      expect.objectContaining({ level: 'info', seen: 1, failedCalls: 0 }),
    ])
  })
})
