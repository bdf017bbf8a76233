import type { PaidPart, ReputationRules } from '../../client/index.ts'
import { Disclosure } from '../kit/disclosure.tsx'
import { Show } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'

/** What each part takes and what its points cost, asked for when it is opened. */
export const Rules = () => (
  <section aria-labelledby="rules">
    <h2 id="rules">Rules and prices</h2>
    <Disclosure summary="What gives points, and what they cost">
      <Loaded />
    </Disclosure>
  </section>
)

function Loaded() {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded('rules', (signal) => client.call('GET /reputation/rules', { signal }))
  return (
    <Show loaded={loaded} reload={reload}>
      {(rules) => (
        <>
          <Paid rules={rules} />
          <h3>Skill: up to {rules.skill.most}</h3>
          <p>
            An attestation proven on chain gives {rules.skill.onChainProven} points, one that an oracle has
            verified {rules.skill.thirdPartyVerified}, one with a document {rules.skill.documentSubmitted}, a
            mere word {rules.skill.selfAttested}; the last two together at most {rules.skill.mostUnverified}.
          </p>
          <h3>Tenure: up to {rules.tenure.most}</h3>
          <p>Grows from the first login, fast at first; full after {rules.tenure.daysToMost} days.</p>
          <Tiers tiers={rules.tiers} />
        </>
      )}
    </Show>
  )
}

const PAID = { reliability: 'Reliability', social: 'Social', infrastructure: 'Infrastructure' }

const Paid = ({ rules }: { rules: ReputationRules }) => (
  <>
    <p>
      A payer weighs 1 once <Cred amount={rules.feeStep} /> of protocol fees ({rules.feeBps / 100} % of what
      is collected) came from it, and less before, in proportion. A hire can be rated from{' '}
      <Cred amount={rules.minPaid} /> on.
    </p>
    {(Object.keys(PAID) as (keyof typeof PAID)[]).map((name) => (
      <Prices key={name} title={PAID[name]} part={rules[name]} />
    ))}
  </>
)

const Prices = ({ title, part }: { title: string; part: PaidPart }) => (
  <>
    <h3>
      {title}: up to {part.most}
    </h3>
    <p>Without any payment {part.mostForFree} at most.</p>
    {part.prices.length > 0 && (
      <div class="table">
        <table>
          <caption class="visually-hidden">What points of {title} cost</caption>
          <thead>
            <tr>
              <th scope="col">Points</th>
              <th scope="col">Protocol fees</th>
              <th scope="col">To be collected for these</th>
            </tr>
          </thead>
          <tbody>
            {part.prices.map(({ points, fee, collected }) => (
              <tr key={points}>
                <th scope="row">{points}</th>
                <td>
                  <Cred amount={fee} />
                </td>
                <td>
                  <Cred amount={collected} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </>
)

const Tiers = ({ tiers }: Pick<ReputationRules, 'tiers'>) => (
  <>
    <h3>Tiers</h3>
    <ul>
      {tiers.map(({ tier, score, needsVerifiedAttestation }) => (
        <li key={tier}>
          {tier}: from {score}
          {needsVerifiedAttestation && ', with a verified attestation'}
        </li>
      ))}
    </ul>
  </>
)
