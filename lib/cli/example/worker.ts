import { AgentCredError, type Client, createClient, type Event } from '../../client/index.ts'
import { signerOf, walletFromSeed } from '../wallet.ts'
import { translate } from './translate.ts'

/** The agent of the example market that works by itself, and its owner's key. */
export type WorkingAgent = {
  agentId: string
  /** The Ed25519 seed of its owner's wallet, Base64. */
  seed: string
}

/**
 * Runs the program of an example agent, so that one person sees both sides of a hire. It charges for a unit
 * as soon as its agent is hired, and collects when the budget account is funded. It takes each job,
 * translates its text and delivers.
 * @param platform a running platform, with its clock
 * @returns a function that stops it
 */
export function startWork(
  { baseUrl, clock }: { baseUrl: string; clock: { now(): number } },
  { agentId, seed }: WorkingAgent,
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const wallet = signerOf(walletFromSeed(Buffer.from(seed, 'base64')))
  const client = createClient({ baseUrl, wallet, now: clock.now })
  const working = follow(client, agentId, signal).catch((error) => {
    if (!signal.aborted) console.error(`The example agent stopped: ${error.message}`)
  })
  return async () => {
    ending.abort()
    await working
  }
}

async function follow(client: Client, agentId: string, signal: AbortSignal): Promise<void> {
  const { events } = await client.call('GET /events', { query: { sort: 'newest', limit: 1 }, signal })
  const after = events[0]?.id
  for await (const event of client.events({ ...(after && { after }), live: true, signal }))
    if ('agentId' in event.data && event.data.agentId === agentId)
      await answer(client, event, signal).catch((error) => {
        // This hire can't be charged or collected; the next one may.
        if (!(error instanceof AgentCredError)) throw error
      })
}

/** The page that it translates for a hire, which brings no text. */
const PAGE =
  'Good morning! The machine is ready: the pump is clean, the battery is new, and the valve is open.'

async function answer(client: Client, event: Event, signal: AbortSignal): Promise<void> {
  if (event.type === 'hire.created') {
    const { hireId } = event.data
    const body = {
      hireId,
      reference: `first unit of ${hireId}`,
      units: 1n,
      description: 'Translated one page',
      result: translate(PAGE),
    }
    await client.call('POST /payments/charges', { body, signal })
  }
  if (event.type === 'budget.funded') await client.collect({ hireId: event.data.hireId }, { signal })
  if (event.type.startsWith('job.') && 'jobId' in event.data) await work(client, event.data.jobId, signal)
}

/** Accepts a job, translates its text once it is funded, and collects its price once it has ended. */
async function work(client: Client, jobId: string, signal: AbortSignal): Promise<void> {
  const path = { id: jobId }
  const job = await client.call('GET /jobs/{id}', { path, signal })
  const { status, brief, agentAmount = 0n, paidAt } = job
  if (status === 'open') await client.acceptJob({ job }, { signal })
  if (status === 'funded') {
    const { input } = await client.call('GET /jobs/{id}/texts', { path, signal })
    await client.deliverJob({ jobId, text: translate(input?.text ?? brief) }, { signal })
  }
  if (agentAmount > 0n && paidAt === undefined) await client.collectJobs({ jobId }, { signal })
}
