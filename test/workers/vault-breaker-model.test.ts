import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { type Action, type Node, type Step, Watched } from '../support/breaker-model.ts'
import { runs } from '../support/runs.ts'
import { type Service, startService } from '../support/service.ts'
import { DAY, ONE } from '../support/staker.ts'

const OWNERS = 2

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

const owner = fc.nat({ max: OWNERS - 1 })
const position = fc.nat({ max: 3 })
const isSent = fc.boolean()

/** From a millisecond to over a finality, mostly; at times past the end of a lock. */
const passing = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3_000, max: 15_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60_000, max: DAY }) },
  { weight: 1, arbitrary: fc.constantFrom(7 * DAY - 1, 7 * DAY, 8 * DAY, 31 * DAY) },
)
const pass = fc.record({ kind: fc.constant('pass' as const), ms: passing })
const stack = fc.record({
  kind: fc.constant('stack' as const),
  owner,
  amount: fc.integer({ min: 1, max: 20 * ONE }),
  days: fc.constantFrom(7 as const, 7 as const, 30 as const, 365 as const),
  isSent,
})
const payout = fc.record({
  kind: fc.constantFrom('claim' as const, 'claim' as const, 'unstack' as const, 'leftovers' as const),
  owner,
  position,
  isSent,
})
const send = fc.record({ kind: fc.constant('send' as const), owner })
const donation = fc.record({
  kind: fc.constant('donation' as const),
  owner,
  position,
  amount: fc.integer({ min: 1, max: 1_000 }),
})
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: stack },
  { weight: 6, arbitrary: payout },
  { weight: 3, arbitrary: send },
  { weight: 1, arbitrary: donation },
  { weight: 4, arbitrary: pass },
)

/** Claims that look like early payouts when judged by the time before. */
const claimed: fc.Arbitrary<Action[]> = fc.tuple(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5_000 }) }),
  fc.record({
    kind: fc.constant('claim' as const),
    owner,
    position: fc.nat({ max: 1 }),
    isSent: fc.constant(true),
  }),
)

const node: fc.Arbitrary<Node> = fc.record({
  isBehind: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  lostFrom: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 4 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: action },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), owner, node }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('job run' as const),
      node,
      nth: fc.integer({ min: 1, max: 3 }),
      meanwhile: fc.oneof(fc.array(action, { maxLength: 3 }), claimed),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'skip' as const }) },
)

/** A stake that lands and is seen, so that there is something to claim from. */
const begun = (owner: number): Step[] => [
  { kind: 'stack', owner, amount: 10 * ONE, days: 7, isSent: true },
  { kind: 'job run', node: { isBehind: false, lostFrom: undefined }, nth: 1, meanwhile: [] },
]

it('never trips for honest owners, and trips for a thief with the recovery key', async () => {
  const programs = fc.array(step, { minLength: 6, maxLength: 16, size: 'max' })
  await fc.assert(
    fc.asyncProperty(programs, fc.constantFrom('whole', 'yield'), async (steps, drained) => {
      const world = await Watched.create(service, OWNERS)
      for (const one of [...begun(0), ...begun(1), ...steps]) {
        await world.run(one)
        await world.expectTrusted()
      }
      await world.expectWatched()
      await world.expectTrusted()
      await world.expectSeen(drained as 'whole' | 'yield')
    }),
    { numRuns: runs(1, 30) },
  )
})
