import { reasonOf } from '../db/failures.ts'
import { deliverBatch, type LeasedBatch } from '../events/batch.ts'
import { deliver, type LeasedDeliveries, leaseDeliveries } from '../events/deliver.ts'
import { selectDueAgents } from '../events/delivery-queries.ts'
import type { DeliverDeps } from '../events/deps.ts'
import { logError, logInfo } from '../log.ts'

/** Agents a cron run: a queue message each. */
const MAX_AGENTS = 1_000
/** Agents that a cron run serves itself when the queue is down, one after the other. */
const MAX_AGENTS_WITHOUT_QUEUE = 20

/**
 * Attempts what was leased and logs what came of it. Never rejects: what is cut off is due again by itself.
 */
export async function attemptLeased(deps: DeliverDeps, leased: LeasedDeliveries): Promise<void> {
  const { agentId } = leased
  try {
    logInfo({ job: 'deliver', agentId, ...(await deliver(deps, leased)) })
  } catch (error) {
    logError({ job: 'deliver', agentId, reason: reasonOf(error) })
  }
}

/** The same for a batch of many agents' deliveries. */
export async function attemptBatch(deps: DeliverDeps, batch: LeasedBatch): Promise<void> {
  if (batch.deliveries.length === 0) return
  try {
    logInfo({ job: 'deliver', ...(await deliverBatch(deps, batch)) })
  } catch (error) {
    logError({ job: 'deliver', reason: reasonOf(error) })
  }
}

/**
 * Nudges for every agent with something due that nobody was nudged for, or whose message was lost. Without
 * the queue it attempts some itself.
 */
export async function sweepDeliveries(deps: DeliverDeps): Promise<{ agents: number; queue: 'up' | 'down' }> {
  const agents = await selectDueAgents(deps.db, deps.clock(), MAX_AGENTS)
  try {
    await deps.nudgeLater(agents.map((agentId) => ({ agentId, delayMs: 0 })))
    return { agents: agents.length, queue: 'up' }
  } catch {
    const served = agents.slice(0, MAX_AGENTS_WITHOUT_QUEUE)
    for (const agentId of served) {
      const leased = await leaseDeliveries(deps, agentId)
      if (leased) await attemptLeased(deps, leased)
    }
    return { agents: served.length, queue: 'down' }
  }
}
