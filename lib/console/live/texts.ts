import type { Event } from '../../client/index.ts'
import { formatCred } from '../../client/index.ts'
import { afterFee } from '../kit/amounts.ts'
import { placeName } from '../kit/permissions.ts'
import { formatTime } from '../locale.ts'

/** An event for people: a sentence, and the view that shows more of it. */
type Sentence = { text: string; view: string }

type DataOf<Type> = Extract<Event, { type: Type }>['data']

/** Returns the sentence for a wallet of the event; `own` is its address. */
type MakeSentence<Data> = (data: Data, own: string) => Sentence

const cred = (amount: bigint): string => `${formatCred(amount)} CRED`
const short = (wallet: string): string => `${wallet.slice(0, 4)}…${wallet.slice(-4)}`

/** A deadline within a sentence. */
const by = (at: string | undefined): string => (at === undefined ? '' : ` by ${formatTime(at)}`)
const until = (at: string | undefined): string => (at === undefined ? '' : `, until ${formatTime(at)}`)

/** A hire, for its hirer or the agent's owner. */
const ofHire =
  (
    asHirer: (agent: string) => string,
    asOwner: (agent: string, hirer: string) => string,
  ): MakeSentence<{ wallet: string; agentName: string; hireId: string }> =>
  ({ wallet, agentName, hireId }, own) => ({
    text: wallet === own ? asHirer(agentName) : asOwner(agentName, short(wallet)),
    view: `hires/${hireId}`,
  })

/** A charge, for its hirer or the agent's owner. */
const ofCharge =
  (
    asHirer: (charge: string, data: DataOf<'charge.recorded'>) => string,
    asOwner: (charge: string, data: DataOf<'charge.recorded'>) => string,
  ): MakeSentence<DataOf<'charge.recorded'>> =>
  (data, own) => ({
    text: (data.hirer === own ? asHirer : asOwner)(`${cred(data.amount)} for ${data.reference}`, data),
    view: `charges/${data.chargeId}`,
  })

/** A hire's budget, for its hirer or the agent's owner. */
const ofBudget =
  <Data extends { hirer: string; hireId: string }>(
    asHirer: (data: Data) => string,
    asOwner: (data: Data) => string,
  ): MakeSentence<Data> =>
  (data, own) => ({
    text: data.hirer === own ? asHirer(data) : asOwner(data),
    view: `hires/${data.hireId}`,
  })

/** A job, for its hirer or the agent's owner. */
const ofJob =
  <Data extends { hirer: string; jobId: string }>(
    asHirer: (data: Data) => string,
    asOwner: (data: Data) => string = asHirer,
  ): MakeSentence<Data> =>
  (data, own) => ({ text: data.hirer === own ? asHirer(data) : asOwner(data), view: `jobs/${data.jobId}` })

/** A payment for a request, for its payer or the agent's owner. */
const ofRequest =
  (
    asPayer: (agent: string) => string,
    asOwner: (agent: string, payer: string) => string,
  ): MakeSentence<DataOf<'payment.settled'>> =>
  ({ payer, agentId, agentName }, own) =>
    payer === own
      ? { text: asPayer(agentName), view: `agents/${agentId}` }
      : { text: asOwner(agentName, short(payer)), view: `selling/${agentId}` }

const ofRating =
  (words: (data: DataOf<'rating.given'>) => string): MakeSentence<DataOf<'rating.given'>> =>
  (data) => ({ text: words(data), view: `agents/${data.agentId}` })

const stars = (rating: number): string => `${rating} of 5 stars`

const ofAttestation =
  (what: string): MakeSentence<DataOf<'attestation.verified'>> =>
  ({ credentialType, reason }) => ({
    text: `Your ${credentialType} ${what}${reason ? `: ${reason}` : ''}.`,
    view: 'reputation',
  })

const DISABLED = {
  gone: 'it returned 410 Gone',
  failing: 'every delivery failed for five days',
  full: 'too many events were waiting',
} as const

/** Returns the page of a webhook endpoint. The agent's page has an agent's own endpoint. */
const pageOf = ({ endpointId, agentId }: Pick<DataOf<'endpoint.test'>, 'endpointId' | 'agentId'>): string =>
  agentId === undefined ? `developer/webhooks/${endpointId}` : `agents/${agentId}`

/** What the wallet allowed, by the kind of the connection. */
function allowed({ kind, name, host }: DataOf<'access.granted'>): string {
  if (kind === 'token') return `You created the token “${name}”.`
  if (kind === 'key') return `You allowed the agent “${name}” to log in with its own key.`
  return `You connected “${name}” (${placeName(host)}).`
}

/** The sentence of each event type. A new type without a line does not compile. */
const SENTENCES: { [Type in Event['type']]: MakeSentence<DataOf<Type>> } = {
  'agent.registered': ({ name, agentId }) => ({
    text: `Your agent ${name} is registered.`,
    view: `agents/${agentId}`,
  }),
  'agent.status_changed': ({ agentId, agentName, status, reason }) => ({
    text: `Your agent ${agentName} is now ${status}${reason ? `: ${reason}` : ''}.`,
    view: `agents/${agentId}`,
  }),
  'hire.created': ofHire(
    (agent) => `You hired ${agent}.`,
    (agent, hirer) => `${hirer} hired ${agent}.`,
  ),
  'hire.renewed': ofHire(
    (agent) => `Your hire of ${agent} was renewed.`,
    (agent, hirer) => `The hire of ${agent} by ${hirer} was renewed.`,
  ),
  'hire.expired': ofHire(
    (agent) => `Your hire of ${agent} has expired.`,
    (agent, hirer) => `The hire of ${agent} by ${hirer} has expired.`,
  ),
  'hire.terminated': ({ wallet, agentName, hireId, endedBy }, own) => {
    const isHirer = wallet === own
    const isBySelf = (endedBy === 'hirer') === isHirer
    const hire = isHirer ? `your hire of ${agentName}` : `the hire of ${agentName} by ${short(wallet)}`
    const other = isHirer ? 'The agent’s owner' : 'The hirer'
    return { text: `${isBySelf ? 'You' : other} ended ${hire}.`, view: `hires/${hireId}` }
  },
  'charge.recorded': ofCharge(
    (charge, { agentName }) => `${agentName} charged you ${charge}.`,
    (charge, { agentName, hirer }) => `${agentName} charged ${short(hirer)} ${charge}.`,
  ),
  'charge.voided': ofCharge(
    (charge, { agentName }) => `The owner of ${agentName} voided a charge of ${charge}.`,
    (charge, { agentName }) => `You voided a charge of ${charge}, by ${agentName}.`,
  ),
  'charge.collected': ofCharge(
    (charge, { agentName }) => `You paid ${agentName} ${charge}, from the hire budget.`,
    (charge, { agentName, fee = 0n }) => `${agentName} was paid ${charge}, less a ${cred(fee)} fee.`,
  ),
  'budget.low': ofBudget(
    ({ agentName, remaining }) =>
      `You have used 80% of your spending limit for ${agentName}. ${cred(remaining)} is left this period.`,
    ({ agentName, hirer, remaining }) =>
      `${short(hirer)} has used 80% of the spending limit for ${agentName}. ${cred(remaining)} is left this period.`,
  ),
  'budget.exhausted': ofBudget(
    ({ agentName }) => `You have reached your spending limit for ${agentName} for this period.`,
    ({ agentName, hirer }) =>
      `${short(hirer)} has reached the spending limit for ${agentName} for this period.`,
  ),
  'budget.funded': ofBudget(
    ({ agentName, amount }) => `You added ${cred(amount)} to the hire budget of ${agentName}.`,
    ({ agentName, amount, hirer }) =>
      `${short(hirer)} added ${cred(amount)} to the hire budget of ${agentName}.`,
  ),
  'budget.withdrawn': ofBudget(
    ({ agentName, amount }) => `You took back ${cred(amount)} from the hire budget of ${agentName}.`,
    ({ agentName, amount, hirer }) =>
      `${short(hirer)} took back ${cred(amount)} from the hire budget of ${agentName}.`,
  ),
  'job.posted': ofJob(
    ({ agentName, price }) => `You ordered a job from ${agentName} for ${cred(price)}.`,
    ({ agentName, hirer, price, dueAt }) =>
      `${short(hirer)} orders a job from ${agentName} for ${cred(price)}. Accept it${by(dueAt)}.`,
  ),
  'job.accepted': ofJob(
    ({ agentName, price, dueAt }) =>
      `${agentName} accepted your job. Pay ${cred(price)}${by(dueAt)} so that it begins.`,
    ({ agentName, hirer }) => `You accepted a job for ${agentName} from ${short(hirer)}.`,
  ),
  'job.cancelled': ofJob(
    ({ agentName }) => `Your job for ${agentName} was cancelled before it was paid.`,
    ({ agentName }) => `A job for ${agentName} was cancelled before it was paid.`,
  ),
  'job.funded': ofJob(
    ({ agentName, price }) => `You paid ${cred(price)} into escrow. ${agentName} can begin.`,
    ({ agentName, hirer, price, dueAt }) =>
      `${short(hirer)} paid ${cred(price)} into escrow for a job of ${agentName}. Deliver it${by(dueAt)}.`,
  ),
  'job.delivered': ofJob(
    ({ agentName, dueAt }) =>
      `${agentName} delivered your job. Approve it, or object${by(dueAt)}: then the agent gets the price.`,
    ({ agentName, hirer }) => `${agentName} delivered a job to ${short(hirer)}.`,
  ),
  'job.disputed': ofJob(
    ({ agentName }) => `You objected to the delivery of ${agentName}.`,
    ({ agentName, hirer }) => `${short(hirer)} objected to the delivery of ${agentName}.`,
  ),
  'job.extended': ofJob(
    ({ agentName, dueAt }) => `After an outage, your job for ${agentName} has more time${until(dueAt)}.`,
    ({ agentName, dueAt }) => `After an outage, a job for ${agentName} has more time${until(dueAt)}.`,
  ),
  'job.verdict_requested': ({ agentName, price, jobId, dueAt }) => ({
    text: `You are the judge of a job of ${agentName} for ${cred(price)}. Decide${by(dueAt)}.`,
    view: `jobs/${jobId}`,
  }),
  'job.ended': ofJob(
    ({ agentName, agentAmount = 0n, hirerAmount = 0n }) =>
      `Your job for ${agentName} has ended: ${hirerAmount > 0n ? `get back ${cred(hirerAmount)}` : `the agent gets ${cred(agentAmount)}`}.`,
    ({ agentName, agentAmount = 0n, hirerAmount = 0n, feeBps }) =>
      `A job for ${agentName} has ended: ${agentAmount > 0n ? `collect ${cred(afterFee(agentAmount, feeBps))}` : `the hirer gets back ${cred(hirerAmount)}`}.`,
  ),
  'job.paid': ofJob(
    ({ agentName, amount }) => `${agentName} was paid ${cred(amount)} for your job.`,
    ({ agentName, amount, fee }) =>
      `${agentName} was paid ${cred(amount)} for a job, less a ${cred(fee)} fee.`,
  ),
  'job.refunded': ofJob(
    ({ agentName, amount }) => `You got back ${cred(amount)} of your job for ${agentName}.`,
    ({ agentName, amount, hirer }) => `${short(hirer)} got back ${cred(amount)} of a job for ${agentName}.`,
  ),
  'job.stray': ofJob(
    ({ agentName, amount }) =>
      `Your payment of ${cred(amount)} for ${agentName} came too late for its job. Get it back.`,
    ({ agentName, amount, hirer }) =>
      `A payment of ${cred(amount)} by ${short(hirer)} came too late for a job of ${agentName}.`,
  ),
  'payment.settled': ofRequest(
    (agent) => `You paid ${agent} for a request.`,
    (agent, payer) => `${payer} paid ${agent} for a request.`,
  ),
  'payment.failed': ofRequest(
    (agent) => `Your payment to ${agent} for a request failed. Nothing was charged.`,
    (agent, payer) => `A payment by ${payer} to ${agent} for a request failed.`,
  ),
  'request.refused': ({ agentId, agentName }) => ({
    text: `Payments for requests to ${agentName} are being refused. See why.`,
    view: `selling/${agentId}`,
  }),
  'credit.bought': ({ amount, balance }) => ({
    text: `You bought ${cred(amount)} of request credit. Your balance is ${cred(balance)}.`,
    view: 'agents',
  }),
  'credit.low': ({ balance }) => ({
    text: `Your request credit is low: ${cred(balance)} is left.`,
    view: 'agents',
  }),
  'rating.given': ofRating(({ agentName, rating }) => `New rating of ${agentName}: ${stars(rating)}.`),
  'rating.revised': ofRating(({ agentName, rating }) => `Rating of ${agentName} updated: ${stars(rating)}.`),
  'rating.answered': ofRating(({ agentName }) => `The owner of ${agentName} replied to a rating.`),
  'vault.position_opened': ({ positionId, amount, lockDays }) => ({
    text: `Your stake of ${cred(amount)} for ${lockDays} days is confirmed.`,
    view: `vault/${positionId}`,
  }),
  'vault.position_closed': ({ positionId, amount }) => ({
    text: `Your withdrawal of ${cred(amount)} is confirmed.`,
    view: `vault/${positionId}`,
  }),
  'vault.yield_claimed': ({ amount }) => ({
    text: `You received ${cred(amount)} of yield.`,
    view: 'vault',
  }),
  'attestation.verified': ofAttestation('was verified'),
  'attestation.rejected': ofAttestation('was rejected'),
  'attestation.revoked': ofAttestation('is no longer verified'),
  'pioneer.joined': ({ wallet, tier }, own) => ({
    text:
      wallet === own
        ? `You are now a pioneer: ${tier}.`
        : `${short(wallet)} became a pioneer with your referral.`,
    view: 'pioneer',
  }),
  'access.granted': (data) => ({
    text: `${allowed(data)} If that wasn’t you, end the connection.`,
    view: 'apps',
  }),
  'endpoint.disabled': ({ host, reason, ...endpoint }) => ({
    text: `Your webhook endpoint at ${host} was disabled: ${DISABLED[reason]}.`,
    view: pageOf(endpoint),
  }),
  'endpoint.test': (endpoint) => ({
    text: 'A test event was sent.',
    view: pageOf(endpoint),
  }),
}

/** Returns an event as a sentence for a wallet. An event of an unknown, newer type is shown by its name. */
export function sentenceOf(event: Event, own: string): Sentence {
  const sentence = SENTENCES[event.type] as MakeSentence<Event['data']> | undefined
  return sentence ? sentence(event.data, own) : { text: `${event.type}.`, view: '' }
}
