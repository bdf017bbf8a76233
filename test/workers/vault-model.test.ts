import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseAddress } from '../../lib/solana/address.ts'
import { treasuryOf } from '../support/chain.ts'
import { runs } from '../support/runs.ts'
import { type Service, startService } from '../support/service.ts'
import { DAY, ONE } from '../support/staker.ts'
import { type Holdings, type LockDays, type Step, World } from '../support/vault-model.ts'

const OWNERS = 2

let service: Service
let holdings: Holdings
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
  const { treasury } = await treasuryOf(service)
  holdings = { service, treasury: parseAddress(treasury), accounts: [] }
})
afterAll(() => service.stop())

const owner = fc.nat({ max: OWNERS - 1 })
const position = fc.nat({ max: 3 })
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 40n * BigInt(ONE) }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 100n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 150n * BigInt(ONE), max: 400n * BigInt(ONE) }) },
)
const days = fc.constantFrom<LockDays>(7, 7, 30, 90, 180, 365)
const donation = fc.oneof(fc.bigInt({ min: 1n, max: 10n }), fc.bigInt({ min: 1n, max: BigInt(ONE) }))
const passing = fc.oneof(
  fc.integer({ min: 1_000, max: 20_000 }),
  fc.integer({ min: 60_000, max: DAY }),
  fc.integer({ min: DAY, max: 10 * DAY }),
  fc.integer({ min: 30 * DAY, max: 400 * DAY }),
)
/** Mostly the last built; else one further back, which may have landed, expired or been dropped. */
const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 8 }) })

/** Whether the wallet signs first. */
const first = fc.boolean()

const stack = fc.record({ kind: fc.constant('stack' as const), owner, first, amount, days })
const claim = fc.record({
  kind: fc.constant('claim' as const),
  owner,
  first,
  position: fc.option(position, { nil: undefined }),
})
const unstack = fc.record({ kind: fc.constant('unstack' as const), owner, first, position })
const submit = fc.record({
  kind: fc.constant('submit' as const),
  owner,
  back,
  by: fc.constantFrom('relay' as const, 'network' as const),
})
const donate = fc.record({
  kind: fc.constant('donate' as const),
  owner,
  from: owner,
  position,
  amount: donation,
})
const travel = fc.record({ kind: fc.constant('travel' as const), ms: passing })
const expire = fc.constant({ kind: 'expire' as const })
const settle = fc.constant({ kind: 'settle' as const })

/** Steps that often follow each other, so that a short program gets somewhere. */
const inOrder = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> => fc.tuple(...steps)
const sendLast = fc.record({
  kind: fc.constant('submit' as const),
  owner,
  back: fc.constant(0),
  by: fc.constantFrom('relay' as const, 'network' as const),
})
const byOne = (steps: fc.Arbitrary<Step[]>): fc.Arbitrary<Step[]> =>
  fc
    .tuple(owner, steps)
    .map(([one, several]) => several.map((step) => ('owner' in step ? { ...step, owner: one } : step)))

/** Without donations every amount is exact, so they are left out of some programs. */
const programs = (donations: number): fc.Arbitrary<Step[]> => {
  // The first time that the wallet signs first, the first two open the vault.
  const opening = byOne(inOrder(stack, sendLast, stack, sendLast, settle))
  const moves = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: opening },
        { weight: 5, arbitrary: byOne(inOrder(travel, claim, sendLast)) },
        { weight: 5, arbitrary: byOne(inOrder(travel, unstack, sendLast)) },
        { weight: 3, arbitrary: byOne(inOrder(claim, settle, sendLast, unstack, sendLast)) },
        { weight: 2, arbitrary: byOne(inOrder(unstack, claim, submit, submit)) },
        { weight: 2, arbitrary: inOrder(stack) },
        { weight: 2, arbitrary: inOrder(claim) },
        { weight: 2, arbitrary: inOrder(unstack) },
        { weight: 4, arbitrary: inOrder(submit) },
        { weight: 2 * donations, arbitrary: inOrder(donate) },
        { weight: donations, arbitrary: byOne(inOrder(claim, donate, sendLast, donate)) },
        { weight: 2, arbitrary: inOrder(travel) },
        { weight: 1, arbitrary: inOrder(expire) },
        { weight: 2, arbitrary: inOrder(settle) },
      ),
      { minLength: 6, maxLength: 14, size: 'max' },
    )
    .map((several) => several.flat())
  return fc.tuple(opening, opening, opening, moves).map((parts) => parts.flat())
}

async function hold(steps: Step[]): Promise<void> {
  const world = await World.create(holdings, OWNERS)
  for (const step of steps) {
    await world.run(step)
    await world.check()
  }
  await world.finish()
  await world.check()
}

it('a withdrawal that is asked for twice is one, and lands once', async () => {
  const unstack = { kind: 'unstack', owner: 0, first: true, position: 0 } as const
  const submit = { kind: 'submit', owner: 0, back: 0, by: 'relay' } as const
  await hold([
    { kind: 'stack', owner: 0, first: false, amount: 1n, days: 7 },
    submit,
    { kind: 'settle' },
    { kind: 'travel', ms: 30 * DAY },
    unstack,
    unstack,
    submit,
    { ...submit, back: 1 },
  ])
})

it.each([
  ['without donations', 0],
  ['with donations', 3],
])(
  'loses and doubles nothing, and pays nothing early, for any actions of owners, %s',
  async (_, donations) => {
    await fc.assert(fc.asyncProperty(programs(donations), hold), { numRuns: runs(1, 15) })
    expect(holdings.accounts.length).toBeGreaterThan(OWNERS)
  },
  900_000,
)
