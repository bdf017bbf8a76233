import { useState } from 'preact/hooks'
import type { NextTier, Reputation, ReputationEvidence } from '../../../client/index.ts'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Show } from '../../kit/loaded.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Badge, Time, Wallet } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import { formatNumber } from '../../locale.ts'
import { show } from '../../router.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { NotThere } from '../not-found.tsx'
import { Attestations } from './attestations.tsx'
import { Rules } from './rules.tsx'

/** Shows the reputation of the wallet in the address, or of the connected one. */
export default function ReputationView({ id }: ViewProps) {
  return (
    <Page
      title="Reputation"
      lead="A score out of 1,000 in five parts. Creating wallets is free, so payments, verified credentials and time count most."
    >
      {id ? (
        <ReputationSummary wallet={id} />
      ) : (
        <NeedsWallet why="Connect a wallet to see your reputation.">
          {(address) => <ReputationSummary wallet={address} />}
        </NeedsWallet>
      )}
      <Rules />
      <Lookup />
    </Page>
  )
}

function ReputationSummary({ wallet }: { wallet: string }) {
  const { client, address } = useConnection()
  const isOwn = wallet === address
  const { loaded, reload } = useLoaded(
    wallet,
    (signal) => client.call('GET /reputation', { query: { user_id: wallet }, signal }),
    isOwn ? ofKinds('attestation', 'rating', 'hire', 'charge', 'pioneer') : undefined,
  )
  if (loaded.state === 'failed' && loaded.error.code === 'invalid_request')
    return <NotThere title="This is not a valid wallet address." />
  return (
    <Show loaded={loaded} reload={reload}>
      {(reputation) => (
        <>
          <p>
            {isOwn ? 'Your wallet' : 'Wallet'} <Wallet address={wallet} />
          </p>
          <Parts reputation={reputation} />
          <Attestations attestations={reputation.attestations} isOwn={isOwn} onChanged={reload} />
        </>
      )}
    </Show>
  )
}

/** Opens the reputation of any wallet. */
function Lookup() {
  const [wallet, setWallet] = useState('')
  return (
    <section aria-labelledby="lookup">
      <h2 id="lookup">Look up a wallet</h2>
      <Form
        label="Show reputation"
        isDisabled={wallet.trim() === ''}
        action={async () => show(`reputation/${wallet.trim()}`)}
      >
        <TextField name="user_id" label="Wallet address" value={wallet} change={setWallet} />
      </Form>
    </section>
  )
}

type Part = keyof Reputation['breakdown']

const PARTS: Record<Part, string> = {
  reliability: 'Reliability',
  skill: 'Skill',
  social: 'Social',
  infrastructure: 'Infrastructure',
  tenure: 'Tenure',
}
const MAX_OF_A_PART = 200

/** The score, the tier, each part with the facts behind it, and what is missing to the next tier. */
const Parts = ({ reputation }: { reputation: Reputation }) => (
  <section aria-labelledby="score">
    <h2 id="score">
      {points(reputation.score)} of 1,000 <Badge tone="plain">{reputation.tier}</Badge>
    </h2>
    <ul class="meters">
      {(Object.entries(PARTS) as [Part, string][]).map(([part, title]) => (
        <li key={part}>
          <label for={`part-${part}`}>{title}</label>
          <meter
            id={`part-${part}`}
            max={MAX_OF_A_PART}
            value={reputation.breakdown[part]}
            aria-describedby={`evidence-${part}`}
          />
          <span class="amount">
            {points(reputation.breakdown[part])} <span class="small">of {MAX_OF_A_PART}</span>
          </span>
          <p id={`evidence-${part}`} class="small">
            <Evidence part={part} evidence={reputation.evidence} />
          </p>
        </li>
      ))}
    </ul>
    {reputation.nextTier && <Missing next={reputation.nextTier} />}
  </section>
)

/** Formats points to a tenth: not all digits of their parts are shown. */
const points = (score: number) => formatNumber(score, { maximumFractionDigits: 1 })

const counted = (count: number, one: string, many = `${one}s`) =>
  `${points(count)} ${count === 1 ? one : many}`

function Evidence({ part, evidence }: { part: Part; evidence: ReputationEvidence }) {
  const { reliability, skill, social, infrastructure, tenure } = evidence
  switch (part) {
    case 'reliability':
      return (
        <>
          {counted(reliability.hirers, 'hirer')} completed a first period. Paying hirers, weighted by fees:{' '}
          {points(reliability.payersWeight)} ({points(reliability.satisfiedWeight)} satisfied)
        </>
      )
    case 'skill':
      return (
        <>
          {skill.onChainProven} proven on-chain, {skill.thirdPartyVerified} verified by an oracle,{' '}
          {skill.documentSubmitted} with a document, {skill.selfAttested} self-reported
        </>
      )
    case 'social':
      return (
        <>
          Worked with or referred {counted(social.counterparties, 'wallet')}. Payments with them, weighted by
          fees: {points(social.paidWeight)}
        </>
      )
    case 'infrastructure':
      return (
        <>
          Offers {counted(infrastructure.layers, 'infrastructure layer')} (6 to 11). Payments for them,
          weighted by fees: {points(infrastructure.paidWeight)}
        </>
      )
    case 'tenure':
      return tenure.since ? (
        <>
          Member since <Time at={tenure.since} />
        </>
      ) : (
        <>Never logged in</>
      )
  }
}

const Missing = ({ next }: { next: NextTier }) => (
  <div class="notice">
    <h3>Next tier: {next.tier}</h3>
    <ul>
      {next.missingScore > 0 && <li>{counted(next.missingScore, 'more point')}</li>}
      {next.needsVerifiedAttestation && <li>a credential verified by an oracle or proven on-chain</li>}
    </ul>
    {next.payers !== undefined && next.payers > 0 && (
      <p class="small">
        {counted(next.payers, 'more satisfied hirer')} who paid enough to count in full would earn these
        points.
      </p>
    )}
  </div>
)
