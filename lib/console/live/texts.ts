import type { Event } from '../../client/index.ts'
import { formatCred } from '../../client/index.ts'
import { placeName } from '../kit/permissions.ts'

/** An event for people: a sentence, and the view that shows more of it. */
type Sentence = { text: string; view: string }

type DataOf<Type> = Extract<Event, { type: Type }>['data']

/** Returns the sentence for a wallet of the event; `own` is its address. */
type MakeSentence<Data> = (data: Data, own: string) => Sentence

const cred = (amount: bigint): string => `${formatCred(amount)} CRED`
const short = (wallet: string): string => `${wallet.slice(0, 4)}…${wallet.slice(-4)}`

/** A hire, for its hirer or the agent's owner. */
const ofHire =
  (asHirer: string, asOwner: (hirer: string) => string): MakeSentence<{ wallet: string; agentId: string }> =>
  ({ wallet, agentId }, own) =>
    wallet === own
      ? { text: asHirer, view: 'hires' }
      : { text: asOwner(short(wallet)), view: `agents/${agentId}` }

/** A charge or a budget, for its hirer or the agent's owner. */
const ofMoney =
  <Data extends { hirer: string }>(
    asHirer: (data: Data) => string,
    asOwner: (data: Data) => string,
  ): MakeSentence<Data> =>
  (data, own) =>
    data.hirer === own ? { text: asHirer(data), view: 'hires' } : { text: asOwner(data), view: 'earnings' }

/** A payment for a request, for its payer or the agent's owner. */
const ofRequest =
  (asPayer: string, asOwner: (payer: string) => string): MakeSentence<DataOf<'payment.settled'>> =>
  ({ payer, agentId }, own) =>
    payer === own
      ? { text: asPayer, view: `agents/${agentId}` }
      : { text: asOwner(short(payer)), view: `selling/${agentId}` }

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
  'agent.status_changed': ({ agentId, status, reason }) => ({
    text: `Your agent is now ${status}${reason ? `: ${reason}` : ''}.`,
    view: `agents/${agentId}`,
  }),
  'hire.created': ofHire('You hired an agent.', (hirer) => `${hirer} hired your agent.`),
  'hire.renewed': ofHire('Your hire was renewed.', (hirer) => `The hire by ${hirer} was renewed.`),
  'hire.expired': ofHire('Your hire has expired.', (hirer) => `The hire by ${hirer} has expired.`),
  'hire.terminated': ({ wallet, agentId, endedBy }, own) => {
    const isHirer = wallet === own
    const isBySelf = (endedBy === 'hirer') === isHirer
    const hire = isHirer ? 'your hire' : `the hire by ${short(wallet)}`
    const other = isHirer ? 'The agent’s owner' : 'The hirer'
    return {
      text: `${isBySelf ? 'You' : other} ended ${hire}.`,
      view: isHirer ? 'hires' : `agents/${agentId}`,
    }
  },
  'charge.recorded': ofMoney(
    ({ amount, reference }) => `You were charged ${cred(amount)} for ${reference}.`,
    ({ amount, hirer, reference }) => `You charged ${short(hirer)} ${cred(amount)} for ${reference}.`,
  ),
  'charge.voided': ofMoney(
    ({ amount, reference }) => `The owner voided a charge of ${cred(amount)} for ${reference}.`,
    ({ amount, reference }) => `You voided the charge of ${cred(amount)} for ${reference}.`,
  ),
  'charge.collected': ofMoney(
    ({ amount, reference }) => `${cred(amount)} for ${reference} was paid from your hire budget.`,
    ({ amount, fee = 0n, reference }) =>
      `You were paid ${cred(amount)} for ${reference}, less a ${cred(fee)} fee.`,
  ),
  'budget.low': ofMoney(
    ({ remaining }) => `You have used 80% of your spending limit. ${cred(remaining)} is left this period.`,
    ({ hirer, remaining }) =>
      `${short(hirer)} has used 80% of the spending limit. ${cred(remaining)} is left this period.`,
  ),
  'budget.exhausted': ofMoney(
    () => 'You have reached your spending limit for this period.',
    ({ hirer }) => `${short(hirer)} has reached the spending limit for this period.`,
  ),
  'budget.funded': ofMoney(
    ({ amount }) => `You added ${cred(amount)} to your hire budget.`,
    ({ amount, hirer }) => `${short(hirer)} added ${cred(amount)} to the hire budget.`,
  ),
  'budget.withdrawn': ofMoney(
    ({ amount }) => `You withdrew ${cred(amount)} from your hire budget.`,
    ({ amount, hirer }) => `${short(hirer)} withdrew ${cred(amount)} from the hire budget.`,
  ),
  'payment.settled': ofRequest('You paid for a request.', (payer) => `${payer} paid for a request.`),
  'payment.failed': ofRequest(
    'Your payment for a request failed. Nothing was charged.',
    (payer) => `A payment by ${payer} for a request failed.`,
  ),
  'request.refused': ({ agentId }) => ({
    text: 'Payments for requests to your agent are being refused. See why.',
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
  'rating.given': ofRating(({ rating }) => `New rating: ${stars(rating)}.`),
  'rating.revised': ofRating(({ rating }) => `Rating updated: ${stars(rating)}.`),
  'rating.answered': ofRating(() => 'The agent’s owner replied to a rating.'),
  'vault.position_opened': ({ amount, lockDays }) => ({
    text: `Your stake of ${cred(amount)} for ${lockDays} days is confirmed.`,
    view: 'vault',
  }),
  'vault.position_closed': ({ amount }) => ({
    text: `Your withdrawal of ${cred(amount)} is confirmed.`,
    view: 'vault',
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
  'endpoint.disabled': ({ url, reason }) => ({
    text: `Your webhook endpoint ${url} was disabled: ${DISABLED[reason]}.`,
    view: 'developer/webhooks',
  }),
  'endpoint.test': () => ({ text: 'A test event was sent.', view: 'developer/deliveries' }),
}

/** Returns an event as a sentence for a wallet. An event of an unknown, newer type is shown by its name. */
export function sentenceOf(event: Event, own: string): Sentence {
  const sentence = SENTENCES[event.type] as MakeSentence<Event['data']> | undefined
  return sentence ? sentence(event.data, own) : { text: `${event.type}.`, view: '' }
}
