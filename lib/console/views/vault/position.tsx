import type { StackPosition } from '../../../client/generated/types.ts'
import { Badge, Cred, Link, RoundedCred, Time, Wallet } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { NotThere } from '../not-found.tsx'
import { Moves, shareOf } from './positions.tsx'

/** Shows one stake, with its possible actions. */
export function Position({
  position,
  onChanged,
}: {
  position: StackPosition | undefined
  onChanged: () => void
}) {
  const { now } = useConnection()
  const transaction = useTransaction('payout', onChanged)
  if (!position) return <NotThere title="You have no such stake. It may be withdrawn." />
  const { id, amount, lockDays, apyBps, stakedAt, unlocksAt, isLocked, address, claimed, pendingYield } =
    position
  return (
    <>
      <p>
        <Link to="vault">All stakes</Link>
      </p>
      <article class="card" aria-labelledby="position">
        <h2 id="position">
          <Cred amount={amount} /> for {lockDays} days
        </h2>
        <p>
          <Badge tone={isLocked ? 'plain' : 'good'}>{isLocked ? 'locked' : 'unlocked'}</Badge>
        </p>
        <progress
          max={1}
          value={shareOf(position, now())}
          aria-label="Share of the lock period that has passed"
        />
        <dl>
          <dt>Yield per year</dt>
          <dd>{apyBps / 100}%</dd>
          <dt>Staked</dt>
          <dd>
            <Time at={stakedAt} />
          </dd>
          <dt>{isLocked ? 'Unlocks' : 'Unlocked'}</dt>
          <dd>
            <Time at={unlocksAt} />
          </dd>
          <dt>Yield to claim</dt>
          <dd>
            <RoundedCred amount={pendingYield} />
          </dd>
          <dt>Yield claimed</dt>
          <dd>
            <RoundedCred amount={claimed} />
          </dd>
          <dt>Yield in all</dt>
          <dd>
            <RoundedCred amount={position.yield} />
          </dd>
          <dt>Token account</dt>
          <dd>
            <Wallet address={address} />
          </dd>
          <dt>Stake number</dt>
          <dd>{id + 1}</dd>
        </dl>
        <p class="small">The token account is on the chain: an explorer lists its transactions.</p>
        <Moves position={position} transaction={transaction} />
      </article>
    </>
  )
}
