import type { Agent, AgentHistory } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** An agent's last 30 days: hires that began, and how its endpoint was found. */
export function AgentDays({ agent }: { agent: Agent }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(agent.id, (signal) =>
    client.call('GET /agents/{id}/history', { path: { id: agent.id }, signal }),
  )
  return (
    <section aria-labelledby="days">
      <h2 id="days">Last 30 days</h2>
      <Show loaded={loaded} reload={reload}>
        {({ days }) => (
          <>
            <Hires days={days} />
            {days.some(({ looks }) => looks > 0) && <Uptime days={days} />}
            <Disclosure summary="The same as a table">
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

const Hires = ({ days }: { days: Days }) => {
  const most = Math.max(...days.map(({ hires }) => hires))
  const all = days.reduce((sum, { hires }) => sum + hires, 0)
  return (
    <Bars
      days={days}
      summary={`${all.toLocaleString('en')} ${all === 1 ? 'hire' : 'hires'} began, at most ${most === 200 ? '200 or more' : most} on a day.`}
      barOf={({ hires }) => ({ share: hires / (most || 1), mark: 'first' })}
    />
  )
}

const Uptime = ({ days }: { days: Days }) => {
  const looks = days.reduce((sum, day) => sum + day.looks, 0)
  const live = days.reduce((sum, day) => sum + day.live, 0)
  return (
    <Bars
      days={days}
      summary={`Its endpoint was live in ${live} of ${looks} looks. A day that it was down in is short and red; one without a look is empty.`}
      barOf={(day) => ({
        share: day.looks === 0 ? 0 : Math.max(0.25, day.live / day.looks),
        mark: day.live < day.looks ? 'bad' : 'good',
      })}
    />
  )
}

/** A bar for each day. */
const Bars = ({
  days,
  summary,
  barOf,
}: {
  days: Days
  summary: string
  barOf: (day: Days[number]) => { share: number; mark: 'first' | 'good' | 'bad' }
}) => {
  const step = WIDTH / days.length
  return (
    <figure class="bars">
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
          <th scope="col">Hires</th>
          <th scope="col">Live in</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, hires, looks, live }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>{hires}</td>
            <td>{looks > 0 ? `${live} of ${looks} looks` : 'no looks'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
