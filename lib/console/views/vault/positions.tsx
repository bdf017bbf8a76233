import { useId } from 'preact/hooks'
import type { StackPosition } from '../../../client/generated/types.ts'
import { formatCred } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { Steps } from '../../kit/steps.tsx'
import { Badge, Cred, Link, RoundedCred, Time } from '../../kit/text.tsx'
import { type Transaction, useTransaction } from '../../kit/transaction.tsx'
import { formatAs } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** Shows every stake on a time line, with its possible actions. */
export function Positions({
  positions,
  onChanged,
}: {
  positions: readonly StackPosition[]
  onChanged: () => void
}) {
  const { client, now } = useConnection()
  const transaction = useTransaction('payout', onChanged)
  const { run, check, start, isBusy } = transaction
  return (
    <section aria-labelledby="positions">
      <h2 id="positions">Your stakes</h2>
      {positions.length > 0 && <TimeLine positions={positions} now={now()} />}
      <ul class="cards">
        {positions.map((position) => (
          <li key={position.id} class="card">
            <h3>
              <Link to={`vault/${position.id}`}>
                <Cred amount={position.amount} /> for {position.lockDays} days
              </Link>
            </h3>
            <p>
              <Badge tone={position.isLocked ? 'plain' : 'good'}>
                {position.isLocked ? 'locked' : 'unlocked'}
              </Badge>{' '}
              {position.apyBps / 100}% per year
            </p>
            <progress
              max={1}
              value={shareOf(position, now())}
              aria-label="Share of the lock period that has passed"
            />
            <p class="small">
              <Time at={position.stakedAt} /> – <Time at={position.unlocksAt} />
            </p>
            <p class="small">
              <RoundedCred amount={position.pendingYield} /> of yield to claim
            </p>
            <Moves position={position} transaction={transaction} />
          </li>
        ))}
      </ul>
      {positions.length > 1 && (
        <Button
          isBusy={isBusy}
          isDisabled={!positions.some(hasYield)}
          onClick={() => start((flow) => client.claim({}, flow))}
        >
          Claim all yield
        </Button>
      )}
      {!positions.some((position) => run.place === placeOf(position)) && <Steps run={run} check={check} />}
    </section>
  )
}

/** Claims the yield of a stake, and withdraws it once it is unlocked. */
export function Moves({ position, transaction }: { position: StackPosition; transaction: Transaction }) {
  const { client } = useConnection()
  const { run, check, start, isBusy } = transaction
  const place = placeOf(position)
  const lockId = useId()
  return (
    <>
      <div class="row">
        <Button
          isBusy={isBusy}
          isDisabled={!hasYield(position)}
          onClick={() => start((flow) => client.claim({ positionId: position.id }, flow), place)}
        >
          Claim yield
        </Button>
        <Button
          isBusy={isBusy}
          isDisabled={position.isLocked}
          aria-describedby={position.isLocked ? lockId : undefined}
          onClick={() => start((flow) => client.unstake({ positionId: position.id }, flow), place)}
        >
          Withdraw
        </Button>
        {position.isLocked && (
          <span id={lockId} class="small">
            Unlocks <Time at={position.unlocksAt} />
          </span>
        )}
      </div>
      {run.place === place && <Steps run={run} check={check} />}
    </>
  )
}

const placeOf = ({ id }: StackPosition): string => `stake ${id}`

/**
 * Returns whether any yield is left: a stake's account has the yield of its whole term until it is claimed.
 */
const hasYield = ({ escrowed, amount }: StackPosition): boolean => escrowed > amount

/** Returns the share of the term that is over, 0 to 1. */
export function shareOf({ stakedAt, unlocksAt }: StackPosition, now: number): number {
  const [from, to] = [Date.parse(stakedAt), Date.parse(unlocksAt)]
  return Math.min(1, Math.max(0, (now - from) / (to - from)))
}

const ROW = 30
const BAR = 20
/** The space above the bars, for the word at the line of the present. */
const TOP = 22

/** Shows every lock from its beginning to its end, with the present moment. */
function TimeLine({ positions, now }: { positions: readonly StackPosition[]; now: number }) {
  const locks = positions.map(({ id, amount, lockDays, stakedAt, unlocksAt }) => ({
    id,
    text: `${formatCred(amount)} CRED, ${lockDays} days`,
    from: Date.parse(stakedAt),
    to: Date.parse(unlocksAt),
  }))
  const first = Math.min(now, ...locks.map(({ from }) => from))
  const last = Math.max(now, ...locks.map(({ to }) => to))
  const x = (time: number) => ((time - first) / (last - first)) * 100
  const height = TOP + locks.length * ROW
  const open = locks.filter(({ to }) => to > now).length
  return (
    <figure class="timeline">
      <svg
        role="img"
        aria-label={`${open} of ${locks.length} stakes are still locked.`}
        width="100%"
        height={height}
      >
        {locks.map(({ id, from, to }, row) => (
          <rect
            key={id}
            class={to > now ? 'lock' : 'lock over'}
            x={`${x(from)}%`}
            y={TOP + row * ROW}
            width={`${x(to) - x(from)}%`}
            height={BAR}
            rx={4}
          />
        ))}
        <line class="now" x1={`${x(now)}%`} x2={`${x(now)}%`} y1={TOP - 4} y2={height} />
        {locks.map(({ id, text, from }, row) => (
          <text key={id} x={`${x(from)}%`} dx={8} y={TOP + row * ROW + 15}>
            {text}
          </text>
        ))}
        <text x={`${x(now)}%`} y={14} text-anchor={x(now) > 50 ? 'end' : 'start'}>
          now
        </text>
      </svg>
      <figcaption class="small">
        {day(first)} – {day(last)}
      </figcaption>
    </figure>
  )
}

const day = (time: number) => formatAs(time, { dateStyle: 'medium' })
