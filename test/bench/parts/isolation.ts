import type { Bench } from '../harness/bench.ts'
import { median, quantile } from '../harness/load.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { openWebhooks } from '../harness/webhooks.ts'

/** So many endpoints answer, beside the dead; each gets so many events. */
const LIVE = 10
const DEAD = amount(90, 10)
const EACH = 10
const ROUNDS = amount(15, 2)
/** Rounds of each kind that are not measured. */
const WARM_UPS = amount(3, 1)

const ALONE = 'none dead'
const BESIDE = `${DEAD} others never answer`

/** The rows that this part promises. */
export const subjects = (): string[] => [ALONE, BESIDE]

/** The results of the rounds of one kind: each webhook's wait in milliseconds, and counts of each round. */
type Measured = { waits: number[]; statements: number[]; requests: number[] }

/**
 * Measures how long live endpoints wait for their webhooks, without dead endpoints and with ninety that never
 * answer: two deployments, in turn. Before each round the pause of the dead ones ends, so that each gets an
 * attempt in each round.
 */
export async function isolation(bench: Bench): Promise<Section[]> {
  const alone = await open(bench, 'alone', 0)
  const beside = await open(bench, 'beside', DEAD)
  try {
    for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
      const isMeasured = round >= WARM_UPS
      await alone.round(isMeasured)
      await beside.round(isMeasured)
    }
    return [sectionOf(alone.measured, beside.measured)]
  } finally {
    alone.close()
    beside.close()
  }
}

/** A deployment with ten live endpoints and so many dead ones. */
async function open(bench: Bench, name: string, count: number) {
  const webhooks = await openWebhooks(bench, name)
  const live = await webhooks.seed('live', LIVE)
  const dead = await webhooks.seed('dead', count)
  const measured: Measured = { waits: [], statements: [], requests: [] }
  return {
    measured,
    close: webhooks.close,
    async round(isMeasured: boolean): Promise<void> {
      await webhooks.endPauses()
      await webhooks.insertDue([...dead, ...live], EACH)
      const { waits, statements, requests } = await webhooks.deliver([...dead, ...live], LIVE * EACH, count)
      await webhooks.untilRecorded(live)
      if (!isMeasured) return
      measured.waits.push(...waits)
      measured.statements.push(statements)
      measured.requests.push(requests)
    },
  }
}

function sectionOf(alone: Measured, beside: Measured): Section {
  const p99 = ({ waits }: Measured) => quantile(waits, 0.99)
  const row = (name: string, measured: Measured) => [
    name,
    quantile(measured.waits, 0.5),
    p99(measured),
    median(measured.requests),
    median(measured.statements),
  ]
  return {
    title: `Webhooks: ${LIVE} live endpoints, ${EACH} events each`,
    columns: ['', 'p50 ms', 'p99 ms', 'webhooks sent', 'SQL'],
    rows: [row(ALONE, alone), row(BESIDE, beside)],
    goals: [
      {
        what: 'p99, beside dead endpoints : none dead',
        measured: p99(beside) / p99(alone),
        limit: 2,
        is: 'at most',
      },
    ],
    notes: [
      `${ROUNDS} rounds each; the dead get as many events each, and hold their connections for 15 s`,
      'the counts are of a round, until each live endpoint has its events and each dead one an attempt',
    ],
  }
}
