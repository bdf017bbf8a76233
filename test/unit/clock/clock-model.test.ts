import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { JOBS } from '../../../lib/clock/jobs.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { ClockWorld, type Step } from '../../support/clock-model.ts'
import { runs } from '../../support/runs.ts'

// The model has no runtime: what the Clock has of it is its constructor's parameters.
vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    ctx: unknown
    constructor(ctx: unknown) {
      this.ctx = ctx
    }
  },
}))

const START = Date.UTC(2026, 10, 23, 10, 38)

beforeAll(() => {
  // A line for each of a hundred thousand wakes.
  for (const line of ['log', 'error'] as const) vi.spyOn(console, line).mockImplementation(() => {})
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
})
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const MINUTE_MS = 60_000
const job = fc.constantFrom(...JOBS.filter((some) => some !== 'daily'))
const span = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 10 * MINUTE_MS }),
  fc.integer({ min: 0, max: 5 * HOUR_MS }),
  fc.integer({ min: 0, max: 2 * DAY_MS }),
)
const after = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000 }) }, span)
const due = fc.record({
  after,
  what: fc.constant('due' as const),
  job,
  in: span,
  tolerance: fc.option(fc.integer({ min: 0, max: 6 * HOUR_MS }), { nil: undefined, freq: 4 }),
  told: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 15_000 }) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
})
const outage = fc.oneof(
  fc.record({ after, what: fc.constant('down' as const), ms: span }),
  fc.record({ after, what: fc.constant('failing' as const), job: fc.constantFrom(...JOBS), ms: span }),
  fc.record({
    after,
    what: fc.constant('slow' as const),
    job: fc.constantFrom(...JOBS),
    // Longer than five minutes is forever.
    ms: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: MINUTE_MS }) },
      fc.constant(6 * MINUTE_MS),
    ),
  }),
  fc.record({ after, what: fc.constantFrom('alarm lost', 'alarm stuck', 'killed') }),
) as fc.Arbitrary<Step>
const historyOf = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 1, maxLength: 40 })

async function live(steps: Step[]): Promise<ClockWorld> {
  vi.setSystemTime(START)
  const world = new ClockWorld(steps)
  const end = START + steps.reduce((sum, step) => sum + step.after, 0) + 5 * DAY_MS
  await world.liveUntil(end)
  return world
}

it('runs jobs within their tolerance, and never wakes the database too early', () =>
  fc.assert(
    fc.asyncProperty(historyOf(due as fc.Arbitrary<Step>), async (steps) => {
      const world = await live(steps)
      expect(world.history.late()).toEqual([])
      expect(world.needless()).toEqual([])
    }),
    { numRuns: runs(200, 5_000) },
  ))

it('runs jobs within tolerance, outage and retry delay when anything fails', () =>
  fc.assert(
    fc.asyncProperty(
      historyOf(fc.oneof({ weight: 2, arbitrary: due as fc.Arbitrary<Step> }, outage)),
      async (steps) => {
        const world = await live(steps)
        expect(world.history.late()).toEqual([])
        expect(world.needless()).toEqual([])
      },
    ),
    {
      numRuns: runs(200, 5_000),
      // Cut off in the last run of a new Clock's first alarm, for which nothing was due.
      examples: [
        [
          [
            { after: 0, what: 'due', job: 'settlement', in: 0, told: 0 },
            { after: 1_301, what: 'killed' },
          ],
        ],
        // Lost while a run that would find it waits after an earlier failure.
        ...(['daily', 'settlement'] as const).map((slow): [Step[]] => [
          [
            { after: 0, what: 'slow', job: slow, ms: 6 * MINUTE_MS },
            {
              after: slow === 'daily' ? 47_040_000 : 47_280_000,
              what: 'due',
              job: 'settlement',
              in: 0,
              told: 'never',
            },
            { after: 0, what: 'slow', job: slow, ms: 0 },
          ],
        ]),
      ],
    },
  ))
