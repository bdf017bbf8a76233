import type { AgentHistory } from '../../../client/generated/types.ts'

export type Days = AgentHistory['days']

/** The chart's size in its own units, and the part of a day that its bar takes. */
const [WIDTH, HEIGHT, FILLED] = [600, 96, 0.76]

/** Draws a bar for each day, under a title with its unit. */
export const Bars = ({
  id,
  title,
  unit,
  days,
  summary,
  barOf,
}: {
  id: string
  title: string
  unit: string
  days: Days
  summary: string
  barOf: (day: Days[number]) => { share: number; mark: 'first' | 'good' | 'bad' }
}) => {
  const step = WIDTH / days.length
  return (
    <figure class="bars" aria-labelledby={id}>
      <h3 id={id}>
        {title} <span class="small">{unit}</span>
      </h3>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        height={HEIGHT}
        aria-hidden="true"
      >
        {days.map((day, index) => {
          const { share, mark } = barOf(day)
          const height = Math.max(2, share * HEIGHT)
          return (
            <rect
              key={day.day}
              class={share > 0 ? `bar-${mark}` : 'bar-track'}
              x={index * step}
              y={HEIGHT - height}
              width={step * FILLED}
              height={height}
            />
          )
        })}
      </svg>
      <figcaption class="small">{summary}</figcaption>
    </figure>
  )
}
