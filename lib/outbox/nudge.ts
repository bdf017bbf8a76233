/** What a message on the deliveries queue says: that an agent's webhook has something due. Postgres knows what. */
export type DeliveryNudge = { agentId: string }

/** Tells the jobs Worker that deliveries to an agent are due. If that fails, its cron finds them. */
export type Nudge = (agentId: string) => void

/** A nudge that outlives the answer, by the Worker's queue. */
export const nudgeBy =
  (queue: Queue<DeliveryNudge>, background: (work: Promise<unknown>) => void): Nudge =>
  (agentId) =>
    background(
      queue.send({ agentId }).catch(() => {
        console.error(JSON.stringify({ level: 'error', queue: 'deliveries', reason: 'not sent' }))
      }),
    )

/** Nudges for an agent whose webhook there is something for. */
export function nudgeFor(
  nudge: Nudge,
  agent: { id: string; webhookUrl: string | null; webhookDisabledAt: Date | null },
): void {
  if (agent.webhookUrl !== null && agent.webhookDisabledAt === null) nudge(agent.id)
}
