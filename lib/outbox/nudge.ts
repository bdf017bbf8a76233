import { sendBestEffort } from '../queue.ts'

/** What a message on the deliveries queue says: that an agent's webhook has something due. Postgres knows what. */
export type DeliveryNudge = { agentId: string }

/** Tells the jobs Worker that deliveries to an agent are due. If that fails, its cron finds them. */
export type Nudge = (agentId: string) => void

/** Makes the nudge that sends on the Worker's queue once the answer is out. */
export const nudgeBy =
  (queue: Queue<DeliveryNudge>, background: (work: Promise<unknown>) => void): Nudge =>
  (agentId) =>
    sendBestEffort({ name: 'deliveries', queue, background }, { agentId })

/** Nudges for an agent whose webhook there is something for. */
export function nudgeFor(
  nudge: Nudge,
  agent: { id: string; webhookUrl: string | null; webhookDisabledAt: Date | null },
): void {
  if (agent.webhookUrl !== null && agent.webhookDisabledAt === null) nudge(agent.id)
}
