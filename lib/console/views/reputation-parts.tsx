import type { NextTier, Reputation, ReputationEvidence } from '../../client/index.ts'
import { Badge, Time } from '../kit/text.tsx'

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
export const Parts = ({ reputation }: { reputation: Reputation }) => (
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
const points = (score: number) => score.toLocaleString('en', { maximumFractionDigits: 1 })

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
