import type { StackPosition } from '../../client/generated/types.ts'
import { Steps } from '../kit/steps.tsx'
import { Badge, Cred, Time } from '../kit/text.tsx'
import { useTransaction } from '../kit/transaction.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { TimeLine } from './vault-timeline.tsx'

/** Every stake on a time line, with what can be done with it now. */
export function Positions({
  positions,
  changed,
}: {
  positions: readonly StackPosition[]
  changed: () => void
}) {
  const { client, now } = useConnection()
  const { run, look, start, isBusy } = useTransaction('payout', changed)
  return (
    <section aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      {positions.length > 0 && <TimeLine positions={positions} now={now()} />}
      <ul class="cards">
        {positions.map((position) => (
          <li key={position.id} class="card">
            <h3>
              <Cred amount={position.amount} /> for {position.lockDays} days
            </h3>
            <p>
              <Badge tone={position.isLocked ? 'plain' : 'good'}>
                {position.isLocked ? 'locked' : 'term over'}
              </Badge>{' '}
              {position.apyBps / 100}% a year
            </p>
            <progress max={1} value={shareOf(position, now())} aria-label="How much of the term is over" />
            <p class="small">
              <Time at={position.stakedAt} /> – <Time at={position.unlocksAt} />
            </p>
            <div class="row">
              <button
                type="button"
                disabled={isBusy}
                onClick={() => start((flow) => client.claim({ positionId: position.id }, flow))}
              >
                Claim yield
              </button>
              <button
                type="button"
                disabled={isBusy || position.isLocked}
                onClick={() => start((flow) => client.unstake({ positionId: position.id }, flow))}
              >
                Withdraw
              </button>
            </div>
          </li>
        ))}
      </ul>
      {positions.length > 1 && (
        <button type="button" disabled={isBusy} onClick={() => start((flow) => client.claim({}, flow))}>
          Claim the yield of all
        </button>
      )}
      <Steps run={run} look={look} />
    </section>
  )
}

/** How much of the term is over, 0 to 1. */
function shareOf({ stakedAt, unlocksAt }: StackPosition, now: number): number {
  const [from, to] = [Date.parse(stakedAt), Date.parse(unlocksAt)]
  return Math.min(1, Math.max(0, (now - from) / (to - from)))
}
