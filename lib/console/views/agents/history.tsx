import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { ofAgent } from '../../live/about.ts'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Bars, type Days } from './day-bars.tsx'

/** An agent's last 30 days: hires that began, charges for its work, requests that were paid for, and how its endpoint was found. */
export function AgentDays({ agent }: { agent: Agent }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    agent.id,
    (signal) => client.call('GET /agents/{id}/history', { path: { id: agent.id }, signal }),
    ofAgent(agent.id, 'hire', 'charge', 'payment'),
  )
  const checkedAt = agent.endpoint?.checkedAt
  const shown = useRef(checkedAt)
  useEffect(() => {
    if (shown.current !== checkedAt) reload()
    shown.current = checkedAt
  }, [checkedAt, reload])
  return (
    <section aria-labelledby="days">
      <h2 id="days">Last 30 days</h2>
      <Show loaded={loaded} reload={reload}>
        {({ days }) => (
          <>
            <Counts days={days} />
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

/** The counts of each day, each with a picture and a column. `cap` means as many or more. */
const COUNTED = [
  { field: 'hires', title: 'Hires', one: 'new hire', many: 'new hires', cap: 200 },
  { field: 'charges', title: 'Charges', one: 'charge', many: 'charges', cap: 200 },
  {
    field: 'requests',
    title: 'Paid requests',
    one: 'paid request',
    many: 'paid requests',
    cap: null,
  },
] as const

/** A figure for each count that has less than two days, which show no trend; bars for the others. */
const Counts = ({ days }: { days: Days }) => {
  const daysWith = (field: keyof Days[number]) => days.filter((day) => day[field] !== 0).length
  const shown = COUNTED.filter(({ field }) => field === 'hires' || daysWith(field) > 0)
  const figures = shown.filter(({ field }) => daysWith(field) < 2)
  return (
    <>
      {figures.length > 0 && (
        <dl class="figures">
          {figures.map((count) => (
            <Fragment key={count.field}>
              <dt>{count.title}</dt>
              <dd>
                {formatNumber(totalOf(days, count))} <span class="small">{nounOf(days, count)}</span>
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {shown
        .filter((count) => !figures.includes(count))
        .map((count) => (
          <Counted key={count.field} days={days} count={count} />
        ))}
    </>
  )
}

type Count = (typeof COUNTED)[number]

const totalOf = (days: Days, { field }: Count): number => days.reduce((sum, day) => sum + day[field], 0)
const nounOf = (days: Days, count: Count): string => (totalOf(days, count) === 1 ? count.one : count.many)

const Counted = ({ days, count }: { days: Days; count: Count }) => {
  const { field, title, cap } = count
  const most = Math.max(...days.map((day) => day[field]))
  const all = totalOf(days, count)
  const peak = most < all ? `, up to ${most === cap ? `${most} or more` : most} a day` : ''
  return (
    <Bars
      id={`days-${field}`}
      title={title}
      unit="per day"
      days={days}
      summary={`${formatNumber(all)} ${nounOf(days, count)}${peak}.`}
      barOf={(day) => ({ share: day[field] / (most || 1), mark: 'first' })}
    />
  )
}

const Uptime = ({ days }: { days: Days }) => {
  const checks = days.reduce((sum, day) => sum + day.looks, 0)
  const live = days.reduce((sum, day) => sum + day.live, 0)
  return (
    <Bars
      id="days-uptime"
      title="Uptime"
      unit="share of each day’s checks"
      days={days}
      summary={`Up in ${live} of ${checks} checks. Short red bars are days with downtime; empty days had no checks.`}
      barOf={(day) => ({
        share: day.looks === 0 ? 0 : Math.max(0.25, day.live / day.looks),
        mark: day.live < day.looks ? 'bad' : 'good',
      })}
    />
  )
}

const Table = ({ days }: { days: Days }) => (
  <div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {COUNTED.map(({ field, title }) => (
            <th key={field} scope="col">
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
            {COUNTED.map(({ field }) => (
              <td key={field}>{day[field]}</td>
            ))}
            <td>{day.looks > 0 ? `${day.live} of ${day.looks} checks` : 'no checks'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
