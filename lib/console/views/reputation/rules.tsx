import type { ReputationRules } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Cred } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'

/** What each part takes and what its points cost, asked for when it is opened. */
export const Rules = () => (
  <section aria-labelledby="rules">
    <h2 id="rules">How scoring works</h2>
    <Disclosure summary="What earns points, and what they cost">
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
            Points per credential: {rules.skill.onChainProven} if proven on-chain,{' '}
            {rules.skill.thirdPartyVerified} if verified by an oracle, {rules.skill.documentSubmitted} with a
            document, {rules.skill.selfAttested} if self-reported. The last two kinds add up to{' '}
            {rules.skill.mostUnverified} points at most.
          </p>
          <h3>Tenure: up to {rules.tenure.most}</h3>
          <p>Grows from the first login, fastest at the start. Full after {rules.tenure.daysToMost} days.</p>
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
      A paying wallet counts in full (weight 1) after <Cred amount={rules.feeStep} /> of protocol fees, and in
      proportion before. The fee is {rules.feeBps / 100}% of each collected charge. A hire can be rated once{' '}
      <Cred amount={rules.minPaid} /> has been collected.
    </p>
    <h3>Points from payments</h3>
    <ul>
      {NAMES.map((name) => (
        <li key={name}>
          {PAID[name]}: up to {rules[name].most}, of which at most {rules[name].mostForFree} without payments
        </li>
      ))}
    </ul>
    <Prices rules={rules} />
  </>
)

/** The protocol fees that points of each part cost. */
function Prices({ rules }: { rules: ReputationRules }) {
  const steps = [...new Set(NAMES.flatMap((name) => rules[name].prices.map(({ points }) => points)))]
  if (steps.length === 0) return <p>This service has no protocol fee, so payments earn no points.</p>
  const feeOf = (name: PaidName, step: number) =>
    rules[name].prices.find(({ points }) => points === step)?.fee
  return (
    <div class="table">
      <table>
        <caption>Protocol fees needed for each number of points, if every payer is satisfied</caption>
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
                  return <td key={name}>{fee === undefined ? 'not available' : <Cred amount={fee} />}</td>
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
          {tier}: from {score} points{needsVerifiedAttestation && ', with a verified credential'}
        </li>
      ))}
    </ul>
  </>
)
