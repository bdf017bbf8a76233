import type { Bench } from '../harness/bench.ts'
import { median, quantile } from '../harness/load.ts'
import { amount } from '../harness/quick.ts'
import type { Section } from '../harness/report.ts'
import { openWebhooks } from '../harness/webhooks.ts'

const AGENTS = amount(100, 20)
const BURST = amount(1_000, 200)
const BURSTS = amount(7, 2)
const SINGLES = amount(300, 10)

const BURSTS_ROW = 'burst, from the messages to arrival'
const SINGLES_ROW = 'one event, from its message to arrival'

/** The rows that this part promises. */
export const subjects = (): string[] => [BURSTS_ROW, SINGLES_ROW]

/** A burst of events over many agents, and events one by one, to a receiver in a process of its own. */
export async function webhooks(bench: Bench): Promise<Section[]> {
  const webhooks = await openWebhooks(bench, 'webhooks')
  const agentIds = await webhooks.seed('live', AGENTS)
  try {
    const bursts: number[][] = []
    for (let burst = 0; burst <= BURSTS; burst++) {
      await webhooks.insertDue(agentIds, BURST / AGENTS)
      const { waits } = await webhooks.deliver(agentIds, BURST)
      // The first warms up.
      if (burst > 0) bursts.push(waits)
      await webhooks.untilRecorded(agentIds)
    }
    const singles: number[] = []
    for (let single = 0; single < SINGLES; single++) {
      const agentId = agentIds[single % AGENTS] ?? ''
      await webhooks.insertDue([agentId], 1)
      singles.push(...(await webhooks.deliver([agentId], 1)).waits)
      await webhooks.untilRecorded(agentIds)
    }
    return [sectionOf(bursts, singles)]
  } finally {
    webhooks.close()
  }
}

function sectionOf(bursts: number[][], singles: number[]): Section {
  const perSecond = median(bursts.map((arrivals) => (BURST / Math.max(...arrivals)) * 1000))
  const all = bursts.flat()
  return {
    title: `Webhooks: a burst of ${BURST.toLocaleString('en')} over ${AGENTS} agents`,
    columns: ['', 'a second', 'p50 ms', 'p99 ms'],
    rows: [
      [BURSTS_ROW, perSecond, quantile(all, 0.5), quantile(all, 0.99)],
      [SINGLES_ROW, '', quantile(singles, 0.5), quantile(singles, 0.99)],
    ],
    goals: [{ what: 'deliveries a second', measured: perSecond, limit: 1_000, is: 'at least' }],
    notes: [`medians of ${bursts.length} bursts; the last arrival ends a burst`],
  }
}
