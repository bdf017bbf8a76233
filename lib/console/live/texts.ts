import type { Event } from '../../client/index.ts'
import { formatCred } from '../kit/amounts.ts'

/** An event for people: what has happened, and the view that shows more of it. */
export type Told = { text: string; view: string }

type DataOf<Type> = Extract<Event, { type: Type }>['data']

/** What an event says to a wallet that it concerns: `own` is its address. */
type Teller<Data> = (data: Data, own: string) => Told

const cred = (amount: bigint): string => `${formatCred(amount)} CRED`
const short = (wallet: string): string => `${wallet.slice(0, 4)}…${wallet.slice(-4)}`

/** A hire as its hirer or as the agent's owner sees it. */
const ofHire =
  (asHirer: string, asOwner: (hirer: string) => string): Teller<{ wallet: string; agentId: string }> =>
  ({ wallet, agentId }, own) =>
    wallet === own
      ? { text: asHirer, view: 'hires' }
      : { text: asOwner(short(wallet)), view: `agents/${agentId}` }

/** A charge or a budget as its hirer or as the agent's owner sees it. */
const ofMoney =
  <Data extends { hirer: string }>(
    asHirer: (data: Data) => string,
    asOwner: (data: Data) => string,
  ): Teller<Data> =>
  (data, own) =>
    data.hirer === own ? { text: asHirer(data), view: 'hires' } : { text: asOwner(data), view: 'earnings' }

const ofRating =
  (words: (data: DataOf<'rating.given'>) => string): Teller<DataOf<'rating.given'>> =>
  (data) => ({ text: words(data), view: `agents/${data.agentId}` })

const stars = (rating: number): string => `${rating} of 5 stars`

const ofAttestation =
  (what: string): Teller<DataOf<'attestation.verified'>> =>
  ({ credentialType, reason }) => ({
    text: `Your ${credentialType} ${what}${reason ? `: ${reason}` : ''}.`,
    view: 'reputation',
  })

const DISABLED = {
  gone: 'it answered that it is gone',
  failing: 'it has answered nothing well for five days',
  full: 'too many events wait for it',
} as const

/** What each type of event says. A new type without a line does not compile. */
const TELLERS: { [Type in Event['type']]: Teller<DataOf<Type>> } = {
  'agent.registered': ({ name, agentId }) => ({
    text: `Your agent ${name} is registered.`,
    view: `agents/${agentId}`,
  }),
  'agent.status_changed': ({ agentId, status, reason }) => ({
    text: `Your agent is ${status} now${reason ? `: ${reason}` : ''}.`,
    view: `agents/${agentId}`,
  }),
  'hire.created': ofHire('You have hired an agent.', (hirer) => `${hirer} has hired your agent.`),
  'hire.renewed': ofHire('Your hire is renewed.', (hirer) => `The hire by ${hirer} is renewed.`),
  'hire.expired': ofHire('Your hire has run out.', (hirer) => `The hire by ${hirer} has run out.`),
  'hire.terminated': ({ wallet, agentId, endedBy }, own) => {
    const isHirer = wallet === own
    const isBySelf = (endedBy === 'hirer') === isHirer
    const hire = isHirer ? 'your hire' : `the hire by ${short(wallet)}`
    const other = isHirer ? 'The agent’s owner has' : 'The hirer has'
    return {
      text: `${isBySelf ? 'You have' : other} ended ${hire}.`,
      view: isHirer ? 'hires' : `agents/${agentId}`,
    }
  },
  'charge.recorded': ofMoney(
    ({ amount, reference }) => `You were charged ${cred(amount)} for ${reference}.`,
    ({ amount, hirer, reference }) => `You have charged ${short(hirer)} ${cred(amount)} for ${reference}.`,
  ),
  'charge.voided': ofMoney(
    ({ amount, reference }) => `The charge of ${cred(amount)} for ${reference} was taken back.`,
    ({ amount, reference }) => `You have taken back the charge of ${cred(amount)} for ${reference}.`,
  ),
  'charge.collected': ofMoney(
    ({ amount, reference }) => `${cred(amount)} was paid out of your budget for ${reference}.`,
    ({ amount, fee = 0n, reference }) =>
      `${cred(amount)} for ${reference} is paid, less a fee of ${cred(fee)}.`,
  ),
  'budget.low': ofMoney(
    ({ remaining }) => `Four fifths of your budget are spent: ${cred(remaining)} is left.`,
    ({ hirer, remaining }) => `Of the budget of ${short(hirer)} ${cred(remaining)} is left.`,
  ),
  'budget.exhausted': ofMoney(
    () => 'Your budget of this period is used up.',
    ({ hirer }) => `The budget of ${short(hirer)} is used up.`,
  ),
  'budget.funded': ofMoney(
    ({ amount }) => `Your budget account has ${cred(amount)} more.`,
    ({ amount, hirer }) => `${short(hirer)} has funded the budget account with ${cred(amount)}.`,
  ),
  'budget.withdrawn': ofMoney(
    ({ amount }) => `You have ${cred(amount)} back from your budget account.`,
    ({ amount, hirer }) => `${short(hirer)} has withdrawn ${cred(amount)} from the budget account.`,
  ),
  'rating.given': ofRating(({ rating }) => `The agent was rated: ${stars(rating)}.`),
  'rating.revised': ofRating(({ rating }) => `A rating was revised: ${stars(rating)}.`),
  'rating.answered': ofRating(() => 'The agent’s owner has answered a rating.'),
  'vault.position_opened': ({ amount, lockDays }) => ({
    text: `Your stake of ${cred(amount)} for ${lockDays} days has landed.`,
    view: 'vault',
  }),
  'vault.position_closed': ({ amount }) => ({
    text: `Your withdrawal of ${cred(amount)} has landed.`,
    view: 'vault',
  }),
  'vault.yield_claimed': ({ amount }) => ({
    text: `Your yield of ${cred(amount)} was paid.`,
    view: 'vault',
  }),
  'attestation.verified': ofAttestation('is verified'),
  'attestation.rejected': ofAttestation('was rejected'),
  'attestation.revoked': ofAttestation('is proven no more'),
  'pioneer.joined': ({ wallet, tier }, own) => ({
    text: wallet === own ? `You are a pioneer: ${tier}.` : `${short(wallet)} became a pioneer through you.`,
    view: 'pioneer',
  }),
  'endpoint.disabled': ({ url, reason }) => ({
    text: `Nothing is sent to ${url} any more: ${DISABLED[reason]}.`,
    view: 'developer/webhooks',
  }),
  'endpoint.test': () => ({ text: 'A test event was sent.', view: 'developer/deliveries' }),
}

/** An event as a wallet is told it; one of a type that is newer than this page by its name. */
export function toldOf(event: Event, own: string): Told {
  const tell = TELLERS[event.type] as Teller<Event['data']> | undefined
  return tell ? tell(event.data, own) : { text: `${event.type}.`, view: '' }
}
