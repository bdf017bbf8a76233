import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAMS, type TokenProgram } from '../../lib/local/chain/svm.ts'
import { createClock } from '../../lib/local/clock.ts'
import { openEmbeddedSolana } from '../../lib/local/solana.ts'
import { paymentSettings, paymentSigners } from '../../lib/payments/keys.ts'
import { postRpc } from '../../lib/solana/json-rpc.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { connectDatabase } from '../support/database.ts'
import { type Ground, PRICE, START_CRED, type Step, World } from '../support/job-escrow-model.ts'
import { runs } from '../support/runs.ts'

/** A chain of its own with that Token program, and a database. */
async function openGround(tokenProgram: TokenProgram): Promise<Ground & { close(): Promise<void> }> {
  const { db, close } = await connectDatabase()
  const clock = createClock()
  const solana = await openEmbeddedSolana({ clock, port: 0, tokenProgram })
  const { bindings } = solana
  const call = (method: string, params: unknown[]) => postRpc(solana.url, method, params)
  return {
    ...{ db, clock, rpc: createRpc(solana.url) },
    settings: paymentSettings({
      mint: bindings.VAULT_MINT,
      authorityAddresses: bindings.PAYMENTS_AUTHORITY_ADDRESSES,
      vaultAuthorityAddresses: bindings.VAULT_AUTHORITY_ADDRESSES,
      recoveryAddresses: bindings.PAYMENTS_RECOVERY_ADDRESSES,
    }),
    signers: () => paymentSigners(bindings.PAYMENTS_AUTHORITY_KEYS, bindings.PAYMENTS_AUTHORITY_ADDRESSES),
    give: async (wallet, cred) => {
      await call('requestAirdrop', [wallet, 1_000_000_000])
      await call('surfnet_setTokenAccount', [wallet, bindings.VAULT_MINT, { amount: Number(cred) }])
    },
    close: async () => {
      await solana.close()
      await close()
    },
  }
}

const answer = fc.oneof(
  { weight: 3, arbitrary: fc.constant('arrives' as const) },
  { weight: 2, arbitrary: fc.constant('lost before' as const) },
  { weight: 1, arbitrary: fc.constant('lost after' as const) },
)
/** Mostly the last one; else one further back, which may have landed, expired or been replaced. */
const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) })
const is = <Kind extends Step['kind']>(kind: Kind) => fc.constant(kind)
const relay = fc.record({ kind: is('relay'), back, answer })
const leak = fc.record({ kind: is('leak'), back })
const assume = fc.record({ kind: is('assume'), back })
const split = fc.record({
  kind: is('split'),
  agentAmount: fc.constantFrom(0n, 1n, PRICE / 2n, PRICE - 1n, PRICE),
})
const gift = fc.record({ kind: is('gift'), amount: fc.bigInt({ min: 1n, max: PRICE }) })
const pass = fc.record({ kind: is('pass'), ms: fc.constantFrom(1_000, 5_000, 100_000) })
const settle = fc.record({ kind: is('settle') })
const simple = <Kind extends 'fund' | 'refund' | 'collect' | 'close' | 'withdraw'>(kind: Kind) =>
  fc.record({ kind: is(kind) })

const inOrder = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> => fc.tuple(...steps)
const arriving = fc.record({
  kind: is('relay'),
  back: fc.constant(0),
  answer: fc.constant('arrives' as const),
})
const payment = fc.oneof(simple('refund'), simple('collect'))
const lost = fc.record({
  kind: is('relay'),
  back: fc.constant(0),
  answer: fc.constant('lost before' as const),
})
const assumeLast = fc.record({ kind: is('assume'), back: fc.constant(0) })
const leakOf = (back: number) => fc.record({ kind: is('leak'), back: fc.constant(back) })
const moves = fc.oneof(
  { weight: 3, arbitrary: inOrder(simple('fund'), relay) },
  { weight: 2, arbitrary: inOrder(simple('fund'), relay, assume) },
  { weight: 3, arbitrary: inOrder(pass, settle) },
  { weight: 5, arbitrary: inOrder(payment, relay) },
  { weight: 4, arbitrary: inOrder(payment, relay, assume) },
  { weight: 3, arbitrary: inOrder(payment, payment, relay, relay) },
  // Two messages of one side can land, since the first was wrongly taken for expired.
  { weight: 3, arbitrary: inOrder(payment, lost, assumeLast, payment, lost, leakOf(0), leakOf(1)) },
  { weight: 3, arbitrary: inOrder(leak) },
  { weight: 2, arbitrary: inOrder(gift) },
  // Somebody sends tokens once the transaction is built, which then can't close the escrow.
  { weight: 2, arbitrary: inOrder(payment, gift, relay) },
  { weight: 1, arbitrary: inOrder(simple('close'), relay) },
  { weight: 1, arbitrary: inOrder(split) },
  { weight: 1, arbitrary: inOrder(assume) },
)
/** Most programs begin with a job that has ended in some way, whose money then moves. */
const program = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: inOrder(simple('fund'), arriving, pass, settle, split) },
      { weight: 2, arbitrary: inOrder(simple('fund'), relay, assume) },
      { weight: 1, arbitrary: inOrder(simple('withdraw')) },
    ),
    fc.array(moves, { minLength: 12, maxLength: 12 }),
  )
  .map(([first, rest]) => [...first, ...rest.flat()])

/** Each kind of step, with an effect. */
const EVERY_KIND: Step[] = [
  { kind: 'fund' },
  { kind: 'relay', back: 0, answer: 'lost before' },
  { kind: 'assume', back: 0 },
  { kind: 'leak', back: 0 },
  { kind: 'fund' },
  { kind: 'relay', back: 0, answer: 'arrives' },
  { kind: 'pass', ms: 2_001 },
  { kind: 'settle' },
  { kind: 'split', agentAmount: 400n },
  // A payout that is taken for expired lands with another signature, while a second one is signed.
  { kind: 'collect' },
  { kind: 'relay', back: 0, answer: 'lost before' },
  { kind: 'assume', back: 0 },
  { kind: 'collect' },
  { kind: 'relay', back: 0, answer: 'lost before' },
  { kind: 'leak', back: 1 },
  { kind: 'leak', back: 0 },
  { kind: 'gift', amount: 5n },
]

describe.each(TOKEN_PROGRAMS)('on %s', (tokenProgram) => {
  it('backs both parts of a job, and loses none, whatever lands late', async ({ onTestFinished }) => {
    const ground = await openGround(tokenProgram)
    onTestFinished(ground.close)
    const done = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        const world = await World.create(ground)
        for (const step of steps) {
          await world.run(step)
          await world.check()
        }
        await world.finish()
        for (const [label, times] of world.done) done.set(label, (done.get(label) ?? 0) + times)
      }),
      { numRuns: runs(3, 120), endOnFailure: true },
    )
    if (process.env.RUNS) console.log(Object.fromEntries([...done].sort()))
    const world = await World.create(ground)
    for (const step of EVERY_KIND) {
      await world.run(step)
      await world.check()
    }
    await world.finish()
    expect([...world.done.keys()]).toEqual(expect.arrayContaining(['leak', 'assume', 'gift', 'refund']))
  })

  it('pays the hirer back when somebody sends tokens before each try', async ({ onTestFinished }) => {
    const ground = await openGround(tokenProgram)
    onTestFinished(ground.close)
    const arrives: Step = { kind: 'relay', back: 0, answer: 'arrives' }
    const landed: Step[] = [{ kind: 'pass', ms: 2_001 }, { kind: 'settle' }]
    const pestered: Step[] = [{ kind: 'refund' }, { kind: 'gift', amount: 1n }, arrives, ...landed]
    // First the job's own escrow, then the escrow of a stray funding.
    const fundings: Step[][] = [
      [arrives, ...landed, { kind: 'split', agentAmount: 0n }],
      [
        { kind: 'relay', back: 0, answer: 'lost before' },
        { kind: 'assume', back: 0 },
        { kind: 'leak', back: 0 },
        { kind: 'pass', ms: 100_000 },
      ],
    ]
    for (const funding of fundings) {
      const world = await World.create(ground)
      const run = async (steps: Step[]) => {
        for (const step of steps) {
          await world.run(step)
          await world.check()
        }
      }
      await run([{ kind: 'fund' }, ...funding, ...pestered])
      expect(world.done.get('relay: transaction_failed')).toBe(1)
      expect(await world.hirerHas()).toBe(START_CRED - PRICE - 1n)
      await run(pestered)
      // The last gift is left.
      expect(await world.hirerHas()).toBe(START_CRED - 1n)
      await run([{ kind: 'refund' }, arrives, ...landed])
      expect(await world.hirerHas()).toBe(START_CRED)
      await world.finish()
    }
  })

  it('funds a job after its deadline when an outage moves it', async ({ onTestFinished }) => {
    const ground = await openGround(tokenProgram)
    onTestFinished(ground.close)
    const [late, delayed] = [await World.create(ground), await World.create(ground)]
    await late.run({ kind: 'pass', ms: 3 * DAY_MS + 1 })
    const now = ground.clock.now()
    delayed.outages = [{ from: now - HOUR_MS, until: now - 1 }]
    expect(await late.run({ kind: 'fund' })).toBe('deadline_passed')
    expect(await delayed.run({ kind: 'fund' })).toBeUndefined()
    await delayed.run({ kind: 'relay', back: 0, answer: 'arrives' })
    expect(await late.status()).toBe('cancelled')
    await delayed.finish()
    expect(delayed.done.get('split')).toBe(1)
  })
})
