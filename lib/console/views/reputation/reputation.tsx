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
import type { ViewProps } from '../../views.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { NotThere } from '../not-found.tsx'
import { Attestations } from './attestations.tsx'
import { Rules } from './rules.tsx'

/** A wallet's standing: one's own, or that of the wallet in the address. */
export default function ReputationView({ id }: ViewProps) {
  return (
    <Page
      title="Reputation"
      lead="A score of up to 1,000 in five parts. Wallets cost nothing, so what is free counts for little: payments, proofs and time count."
    >
      {id ? (
        <Standing wallet={id} />
      ) : (
        <NeedsWallet why="Your standing belongs to your wallet.">
          {(address) => <Standing wallet={address} />}
        </NeedsWallet>
      )}
      <Rules />
      <Lookup />
    </Page>
  )
}

function Standing({ wallet }: { wallet: string }) {
  const { client, address } = useConnection()
  const isOwn = wallet === address
  const { loaded, reload } = useLoaded(
    wallet,
    (signal) => client.call('GET /reputation', { query: { user_id: wallet }, signal }),
    isOwn ? ofKinds('attestation', 'rating', 'hire', 'charge', 'pioneer') : undefined,
  )
  if (loaded.state === 'failed' && loaded.error.code === 'invalid_request')
    return <NotThere title="This is not the address of a wallet." />
  return (
    <Show loaded={loaded} reload={reload}>
      {(reputation) => (
        <>
          <p>
            {isOwn ? 'Your wallet' : 'Wallet'} <Wallet address={wallet} />
          </p>
          <Parts reputation={reputation} />
          <Attestations attestations={reputation.attestations} isOwn={isOwn} changed={reload} />
        </>
      )}
    </Show>
  )
}

/** Anybody's standing can be looked at. */
function Lookup() {
  const [wallet, setWallet] = useState('')
  return (
    <section aria-labelledby="lookup">
      <h2 id="lookup">Another wallet</h2>
      <Form
        label="Show its standing"
        isDisabled={wallet.trim() === ''}
        action={async () => show(`reputation/${wallet.trim()}`)}
      >
        <TextField name="user_id" label="Wallet" hint="Its public key" value={wallet} change={setWallet} />
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
const MOST_OF_A_PART = 200

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
            max={MOST_OF_A_PART}
            value={reputation.breakdown[part]}
            aria-describedby={`evidence-${part}`}
          />
          <span class="amount">
            {points(reputation.breakdown[part])} <span class="small">of {MOST_OF_A_PART}</span>
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

/** To a tenth: parts of points are shown, and not all their digits. */
const points = (score: number) => formatNumber(score, { maximumFractionDigits: 1 })

const counted = (count: number, one: string, many = `${one}s`) =>
  `${points(count)} ${count === 1 ? one : many}`

function Evidence({ part, evidence }: { part: Part; evidence: ReputationEvidence }) {
  const { reliability, skill, social, infrastructure, tenure } = evidence
  switch (part) {
    case 'reliability':
      return (
        <>
          {counted(reliability.hirers, 'wallet')} whose hire ran its first term; payers weigh{' '}
          {points(reliability.payersWeight)}, of which {points(reliability.satisfiedWeight)} are satisfied
        </>
      )
    case 'skill':
      return (
        <>
          {skill.onChainProven} proven on chain, {skill.thirdPartyVerified} verified by an oracle,{' '}
          {skill.documentSubmitted} with a document, {skill.selfAttested} by word alone
        </>
      )
    case 'social':
      return (
        <>
          {counted(social.counterparties, 'wallet')} dealt with or brought; payments either way weigh{' '}
          {points(social.paidWeight)}
        </>
      )
    case 'infrastructure':
      return (
        <>
          {counted(infrastructure.layers, 'layer')} of 6 to 11 offered; payments for them weigh{' '}
          {points(infrastructure.paidWeight)}
        </>
      )
    case 'tenure':
      return tenure.since ? (
        <>
          First login <Time at={tenure.since} />
        </>
      ) : (
        <>Has not logged in yet</>
      )
  }
}

const Missing = ({ next }: { next: NextTier }) => (
  <div class="notice">
    <h3>To {next.tier}</h3>
    <ul>
      {next.missingScore > 0 && <li>{counted(next.missingScore, 'more point')}</li>}
      {next.needsVerifiedAttestation && (
        <li>an attestation that an oracle has verified, or that is proven on chain</li>
      )}
    </ul>
    {next.payers !== undefined && next.payers > 0 && (
      <p class="small">
        {counted(next.payers, 'more satisfied payer')} of full weight would give these points.
      </p>
    )}
  </div>
)
