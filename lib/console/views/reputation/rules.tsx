import type { ReputationRules } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'

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
type PaidName = keyof typeof PAID
const NAMES = Object.keys(PAID) as PaidName[]

const Paid = ({ rules }: { rules: ReputationRules }) => (
  <>
    <p>
      A payer weighs 1 once <Cred amount={rules.feeStep} /> of protocol fees ({rules.feeBps / 100}% of what is
      collected) came from it, and less before, in proportion. A hire can be rated from{' '}
      <Cred amount={rules.minPaid} /> on.
    </p>
    <h3>What payments give</h3>
    <ul>
      {NAMES.map((name) => (
        <li key={name}>
          {PAID[name]}: up to {rules[name].most}, without any payment {rules[name].mostForFree} at most
        </li>
      ))}
    </ul>
    <Prices rules={rules} />
  </>
)

/** The protocol fees that points of each part cost. */
function Prices({ rules }: { rules: ReputationRules }) {
  const steps = [...new Set(NAMES.flatMap((name) => rules[name].prices.map(({ points }) => points)))]
  if (steps.length === 0) return <p>There is no protocol fee, so payments give no points.</p>
  const feeOf = (name: PaidName, step: number) =>
    rules[name].prices.find(({ points }) => points === step)?.fee
  return (
    <div class="table">
      <table>
        <caption>
          Protocol fees that points of each part cost, all payers being satisfied, without what is free
        </caption>
        <thead>
          <tr>
            <th scope="col">Points</th>
            {NAMES.map((name) => (
              <th key={name} scope="col">
                {PAID[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps
            .toSorted((a, b) => a - b)
            .map((step) => (
              <tr key={step}>
                <th scope="row">{step}</th>
                {NAMES.map((name) => {
                  const fee = feeOf(name, step)
                  return <td key={name}>{fee === undefined ? 'not to be had' : <Cred amount={fee} />}</td>
                })}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

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
