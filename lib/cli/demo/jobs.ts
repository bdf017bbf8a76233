import { type Client, createClient, type Job } from '../../client/index.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, refused, show, step } from './output.ts'
import { onStep, readDeployment } from './signing.ts'

const ONE = 10n ** 9n
const PRICE = 5n * ONE

/**
 * Shows jobs with every way to end: paid, an objection that a judge decides, a split, and no delivery. The
 * silence of a hirer pays the agent.
 */
export async function jobs(baseUrl: string, chain: LocalChain) {
  heading('Jobs: order, deliver, get paid')
  const [owner, hirer, judge] = [createWallet(), createWallet(), createWallet()]
  const deployment = await readDeployment(baseUrl)
  await chain.fund(owner.publicKey, deployment.mint, 0n)
  await chain.fund(hirer.publicKey, deployment.mint, 100n * ONE)
  const [asOwner, asHirer, asJudge] = [owner, hirer, judge].map((wallet) =>
    createClient({ baseUrl, deployment, wallet: signerOf(wallet) }),
  ) as [Client, Client, Client]
  const offer = { name: 'Glossary', agentType: 'autonomous' as const, supportedLayers: [15] }
  const agent = await step('An agent is registered', offerAgent(asOwner, offer))
  const terms = { minPrice: ONE, workMinutes: 60, judges: [judge.publicKey, 'none'] }
  const path = { id: agent.id }
  await step('It takes jobs', asOwner.call('PUT /agents/{id}/job-terms', { path, body: terms }))
  await step('Its owner sets up payouts', asOwner.openCollector())

  /** Orders a job, which its agent accepts and its hirer funds. */
  async function order(title: string, chosen: string = judge.publicKey): Promise<Job> {
    const brief = 'Into German, as a short text.'
    const terms = { price: PRICE, workMinutes: 60, reviewMinutes: 60, judge: chosen }
    const wanted = { agentId: agent.id, title, brief, reference: `demo ${title}`, ...terms }
    const { id } = await step(`Ordered: ${title}`, asHirer.postJob(wanted))
    const seen = await asOwner.call('GET /jobs/{id}', { path: { id } })
    const job = await step('The owner accepts the terms', asOwner.acceptJob({ job: seen }))
    const funding = { job, order: wanted, owner: owner.publicKey }
    await step('The hirer pays the price into an escrow', asHirer.fundJob(funding, { onStep }))
    return asHirer.waitForJob(id, { until: ({ status }) => status !== 'accepted' })
  }
  const deliver = ({ id: jobId }: Job, text: string) =>
    step('The agent delivers', asOwner.deliverJob({ jobId, text }))
  const showEnd = ({ status, endReason, agentAmount, hirerAmount }: Job) =>
    show({ status, endReason, agentAmount, hirerAmount })

  const paid = await order('The pump is ready.')
  await deliver(paid, 'Die Pumpe ist bereit.')
  const texts = asHirer.call('GET /jobs/{id}/texts', { path: { id: paid.id } })
  show((await step('The hirer reads the delivery', texts)).delivery)
  showEnd(await step('and approves it', asHirer.decideJob({ jobId: paid.id, act: 'approve' })))
  const again = asOwner.deliverJob({ jobId: paid.id, text: 'Another text' })
  await refused('job_changed', 'A delivery never changes', again)

  const judged = await order('The machine is warm, and the door is open.')
  await deliver(judged, 'Die Maschine ist warm.')
  const reason = 'Half of the sentence is missing.'
  await step('The hirer objects', asHirer.decideJob({ jobId: judged.id, act: 'object', reason }))
  const verdict = { jobId: judged.id, agentAmount: PRICE / 2n, reason: 'One half was translated.' }
  showEnd(await step('The judge gives the agent half', asJudge.judgeJob(verdict)))

  const split = await order('The lamp is red.')
  const proposal = { jobId: split.id, act: 'split' as const, agentAmount: ONE }
  await step('The owner proposes a split', asOwner.decideJob(proposal))
  showEnd(await step('and the hirer the same', asHirer.decideJob(proposal)))

  const [undelivered, silent] = [await order('Good morning!'), await order('Hello, world!')]
  await deliver(silent, 'Hallo, Welt!')
  await step('More than the time to deliver and to review passes', chain.travel(2 * HOUR_MS))
  const ended = (id: string) => asHirer.waitForJob(id)
  showEnd(await step('Without a delivery the hirer gets it back', ended(undelivered.id)))
  showEnd(await step('After a delivery silence pays the agent', ended(silent.id)))

  for (const { id: jobId } of [judged, split, undelivered]) {
    const { hirerAmount: atLeast } = await asHirer.call('GET /jobs/{id}', { path: { id: jobId } })
    await step('The hirer gets its part back', asHirer.refundJob({ jobId, atLeast }, { onStep }))
  }
  show((await step('The owner collects for four jobs at once', asOwner.collectJobs({}, { onStep }))).jobs)
  await step('The hirer closes the empty escrows', asHirer.closeEscrows({}, { onStep }))
}

const HOUR_MS = 3_600_000
