import type { Client, Job } from '../../client/index.ts'
import type { ChainWaits } from './chain-waits.ts'
import { ONE_CRED } from './day.ts'
import { translate } from './translate.ts'

/** A job of the example market: what is ordered, and the acts after the acceptance. */
type ExampleJob = {
  title: string
  text: string
  /** CRED. */
  price: bigint
  /** How far it gets; by default the delivery waits for the hirer. */
  until?: 'open' | 'declined' | 'accepted' | 'funded' | 'given up'
  delivery?: string
  objection?: string
  decision?: 'approve' | 'concede' | { agentAmount: bigint; reason: string }
}

/** The first one is paid. The others are in every other state that needs no time to pass. */
const PAID: ExampleJob = {
  title: 'Sign for the workshop door',
  text: 'The door is closed. Please open at nine o’clock.',
  price: 3n,
  decision: 'approve',
}
const OTHERS: readonly ExampleJob[] = [
  {
    title: 'Note for the night shift',
    text: 'The lamp is red. The battery is empty.',
    price: 2n,
    until: 'open',
  },
  {
    title: 'Label for the new machine',
    text: 'The machine is new and very hot.',
    price: 2n,
    until: 'accepted',
  },
  { title: 'Greeting for the market', text: 'Good evening! The market is open.', price: 3n, until: 'funded' },
  { title: 'Answer about a delivery', text: 'Thanks! The delivery arrives tomorrow at ten.', price: 4n },
  {
    title: 'Safety notice for the pump',
    text: 'The pump is hot. The valve is open, and the battery is not ready.',
    price: 6n,
    delivery: 'Die Pumpe ist heiß.',
    objection: 'The second sentence is missing: the one about valve and battery.',
  },
  {
    title: 'Two lines for a lamp’s box',
    text: 'The lamp is warm. The power is not very good.',
    price: 4n,
    delivery: 'Die Lampe ist warm.',
    objection: 'Only one of the two lines is there.',
    decision: { agentAmount: 2n, reason: 'One line of two is translated, and that one is right.' },
  },
  {
    title: 'Opening hours of the bridge',
    text: 'The bridge is open today at eight o’clock.',
    price: 3n,
    delivery: 'Die Brücke ist heute um acht Uhr geschlossen.',
    objection: 'It says closed. The bridge is open at eight.',
    decision: 'concede',
  },
  {
    title: 'A poem about the harbor',
    text: 'Gulls and rust, in rhyme, please.',
    price: 5n,
    until: 'given up',
  },
  {
    title: 'A contract of twelve pages',
    text: 'All of it by this evening, please.',
    price: 2n,
    until: 'declined',
  },
]

type JobMarket = { hirer: Client; owner: Client; judge: Client; agentId: string; chainWaits: ChainWaits }

/**
 * Makes jobs in every state, between the accounts of the development wallet, so that each has something to
 * see and to do. Deadlines are as long as they can be.
 */
export async function makeJobs(market: JobMarket): Promise<void> {
  await makeJob(market, PAID)
  await market.chainWaits.run(() => market.owner.collectJobs())
  await Promise.all(OTHERS.map((job) => makeJob(market, job)))
}

async function makeJob(
  { hirer, owner, judge, agentId, chainWaits }: JobMarket,
  example: ExampleJob,
): Promise<unknown> {
  const { title, text, price, until, delivery = translate(text), objection, decision } = example
  const job = await hirer.postJob({
    ...{ agentId, title, brief: `Into German, every word of it: ${text}`, price: price * ONE_CRED },
    ...{ judge: 'deployment', acceptMinutes: 10_080, workMinutes: 43_200, reviewMinutes: 20_160 },
    reference: title,
  })
  const { id: jobId } = job
  const end = () => owner.call('DELETE /jobs/{id}', { path: { id: jobId } })
  if (until === 'open') return job
  if (until === 'declined') return end()
  const accepted: Job = await owner.acceptJob({ job })
  if (until === 'accepted') return accepted
  await chainWaits.run(() => hirer.fundJob({ job: accepted }))
  if (until === 'funded') return accepted
  if (until === 'given up') return end()
  await owner.deliverJob({ jobId, text: delivery })
  if (objection !== undefined) await hirer.decideJob({ jobId, act: 'object', reason: objection })
  if (decision === undefined) return accepted
  if (decision === 'approve') return hirer.decideJob({ jobId, act: decision })
  if (decision === 'concede') return owner.decideJob({ jobId, act: decision })
  return judge.judgeJob({ jobId, ...decision, agentAmount: decision.agentAmount * ONE_CRED })
}
