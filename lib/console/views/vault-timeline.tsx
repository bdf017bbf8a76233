import type { StackPosition } from '../../client/index.ts'
import { formatCred } from '../kit/amounts.ts'

const ROW = 30
const BAR = 20
/** Above the bars, for the word at the line of now. */
const TOP = 22

/** Every lock from its beginning to its end, beside each other, with the present moment. */
export function TimeLine({ positions, now }: { positions: readonly StackPosition[]; now: number }) {
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
        aria-label={`${open} of ${locks.length} locks have not ended yet.`}
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
        {day(first)} – {day(last)}. Each lock has its card below.
      </figcaption>
    </figure>
  )
}

const day = (time: number) => new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })
