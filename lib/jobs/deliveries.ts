import { type Claim, claimDeliveries, type DeliverDeps, deliver } from '../events/deliver.ts'
import { selectDueAgents } from '../events/delivery-queries.ts'
import { reasonOf } from './reason.ts'

/** Agents a cron run: a queue message each. */
const MAX_AGENTS = 1_000
/** Agents that a cron run serves itself when the queue is down: one after the other, in the time that it has. */
const MAX_AGENTS_WITHOUT_QUEUE = 20

/** Attempts what was claimed and logs what came of it. Never rejects: what was cut off is due again by itself. */
export async function attemptClaimed(deps: DeliverDeps, claim: Claim): Promise<void> {
  const { agentId } = claim
  try {
    console.log(JSON.stringify({ level: 'info', job: 'deliver', agentId, ...(await deliver(deps, claim)) }))
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', job: 'deliver', agentId, reason: reasonOf(error) }))
  }
}

/**
 * Nudges for every agent with something due that nobody was nudged for, or whose message was lost. Without the queue
 * it attempts some itself.
 */
export async function sweepDeliveries(deps: DeliverDeps): Promise<{ agents: number; queue: 'up' | 'down' }> {
  const agents = await selectDueAgents(deps.db, deps.clock(), MAX_AGENTS)
  try {
    await deps.nudgeLater(agents.map((agentId) => ({ agentId, delayMs: 0 })))
    return { agents: agents.length, queue: 'up' }
  } catch {
    const served = agents.slice(0, MAX_AGENTS_WITHOUT_QUEUE)
    for (const agentId of served) {
      const claim = await claimDeliveries(deps, agentId)
      if (claim) await attemptClaimed(deps, claim)
    }
    return { agents: served.length, queue: 'down' }
  }
}
