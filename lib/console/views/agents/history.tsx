import { useEffect, useRef } from 'preact/hooks'
import type { Agent, AgentHistory } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { ofAgent } from '../../live/about.ts'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** An agent's last 30 days: hires that began, charges for its work, requests that were paid for, and how its endpoint was found. */
export function AgentDays({ agent }: { agent: Agent }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    agent.id,
    (signal) => client.call('GET /agents/{id}/history', { path: { id: agent.id }, signal }),
    ofAgent(agent.id, 'hire', 'charge', 'payment'),
  )
  const lookedAt = agent.endpoint?.checkedAt
  const shown = useRef(lookedAt)
  useEffect(() => {
    if (shown.current !== lookedAt) reload()
    shown.current = lookedAt
  }, [lookedAt, reload])
  return (
    <section aria-labelledby="days">
      <h2 id="days">Last 30 days</h2>
      <Show loaded={loaded} reload={reload}>
        {({ days }) => (
          <>
            {COUNTED.filter(({ of }) => of === 'hires' || days.some((day) => day[of] > 0)).map((count) => (
              <Counted key={count.of} days={days} {...count} />
            ))}
            {days.some(({ looks }) => looks > 0) && <Uptime days={days} />}
            <Disclosure summary="Show as table">
              <Table days={days} />
            </Disclosure>
          </>
        )}
      </Show>
    </section>
  )
}

type Days = AgentHistory['days']

/** The chart's size, and the part of a day that its bar takes. */
const [WIDTH, HEIGHT, FILLED] = [600, 96, 0.76]

/** What is counted of each day, each with a picture of its own and a column; `cap` stands for as many or more. */
const COUNTED = [
  { of: 'hires', title: 'Hires', one: 'new hire', many: 'new hires', cap: 200 },
  { of: 'charges', title: 'Charges', one: 'charge', many: 'charges', cap: 200 },
  {
    of: 'requests',
    title: 'Paid requests',
    one: 'paid request',
    many: 'paid requests',
    cap: null,
  },
] as const

const Counted = ({ days, of, title, one, many, cap }: { days: Days } & (typeof COUNTED)[number]) => {
  const most = Math.max(...days.map((day) => day[of]))
  const all = days.reduce((sum, day) => sum + day[of], 0)
  const summary =
    all === 0
      ? `No ${many}.`
      : `${formatNumber(all)} ${all === 1 ? one : many}${most < all ? `, up to ${most === cap ? `${most} or more` : most} a day` : ''}.`
  // One bar shows no trend.
  if (days.filter((day) => day[of] > 0).length < 2)
    return (
      <div>
        <h3>{title}</h3>
        <p>{summary}</p>
      </div>
    )
  return (
    <Bars
      id={`days-${of}`}
      title={title}
      unit="per day"
      days={days}
      summary={summary}
      barOf={(day) => ({ share: day[of] / (most || 1), mark: 'first' })}
    />
  )
}

const Uptime = ({ days }: { days: Days }) => {
  const looks = days.reduce((sum, day) => sum + day.looks, 0)
  const live = days.reduce((sum, day) => sum + day.live, 0)
  return (
    <Bars
      id="days-uptime"
      title="Uptime"
      unit="share of each day’s checks"
      days={days}
      summary={`Up in ${live} of ${looks} checks. Short red bars are days with downtime; empty days had no checks.`}
      barOf={(day) => ({
        share: day.looks === 0 ? 0 : Math.max(0.25, day.live / day.looks),
        mark: day.live < day.looks ? 'bad' : 'good',
      })}
    />
  )
}

/** A bar for each day, below what it shows and its unit. */
const Bars = ({
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

const Table = ({ days }: { days: Days }) => (
  <div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {COUNTED.map(({ of, title }) => (
            <th key={of} scope="col">
              {title}
            </th>
          ))}
          <th scope="col">Uptime</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row">{day.day}</th>
            {COUNTED.map(({ of }) => (
              <td key={of}>{day[of]}</td>
            ))}
            <td>{day.looks > 0 ? `${day.live} of ${day.looks} checks` : 'no checks'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
