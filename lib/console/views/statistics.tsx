import { useMemo, useState } from 'preact/hooks'
import type { ProtocolStats, StatsDay } from '../../client/index.ts'
import { formatCred } from '../../client/index.ts'
import { Chart } from '../kit/chart.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { SelectField } from '../kit/inputs.tsx'
import { Empty, Show } from '../kit/loaded.tsx'
import { Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Cred, Time } from '../kit/text.tsx'
import { formatNumber } from '../locale.ts'
import { useConnection } from '../wallet/connection.tsx'

/** The protocol's figures now, and how they came to be. */
export default function Statistics() {
  const { client, now } = useConnection()
  const { loaded, reload } = useLoaded('present', async (signal) => ({
    ...(await client.call('GET /marketplace/stats', { signal })),
    takenAt: new Date(now()).toISOString(),
  }))
  return (
    <Page title="Statistics" lead="Totals across the whole service, as of now.">
      <Show loaded={loaded} reload={reload} shape="figures">
        {(present) => (
          <>
            <Present stats={present} />
            <History present={present} />
          </>
        )}
      </Show>
    </Page>
  )
}

const Present = ({ stats }: { stats: ProtocolStats }) => (
  <dl class="figures">
    <dt>Agents</dt>
    <dd>{formatNumber(stats.totalAgents)}</dd>
    <dt>Credentials</dt>
    <dd>{formatNumber(stats.totalAttestations)}</dd>
    <dt>Pioneers</dt>
    <dd>
      {formatNumber(stats.totalPioneers)}{' '}
      <span class="small">{formatNumber(stats.spotsRemaining)} spots left</span>
    </dd>
    <dt>CRED staked</dt>
    <dd>
      <Cred amount={stats.totalValueLocked} />
    </dd>
  </dl>
)

const FIGURES = {
  totalAgents: 'Agents',
  totalAttestations: 'Credentials',
  totalPioneers: 'Pioneers',
  totalValueLocked: 'CRED staked',
}
type Figure = keyof typeof FIGURES

type Values = Pick<StatsDay, Figure>
/** A recorded day, or the present moment. */
type Point = Values & { takenAt: string }

const LOCKED = 'totalValueLocked'
const textOf = (point: Values, figure: Figure) =>
  figure === LOCKED ? `${formatCred(point[LOCKED])} CRED` : formatNumber(point[figure])
/** For the picture alone, so that a rounded number will do. */
const heightOf = (point: Values, figure: Figure) =>
  figure === LOCKED ? Number(point[LOCKED]) / 1e9 : point[figure]

const PERIODS = { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last year' }
type Period = `${keyof typeof PERIODS}`

/** One figure over time, as a chart and as a table, up to the present. */
function History({ present }: { present: Point }) {
  const { client } = useConnection()
  const [figure, setFigure] = useState<Figure>('totalAgents')
  const [period, setPeriod] = useState<Period>('30')
  const { loaded, reload } = useLoaded(
    'history',
    (signal) => client.call('GET /marketplace/stats/history', { query: { days: Number(period) }, signal }),
    undefined,
    period,
  )
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <div class="row">
        <SelectField name="figure" label="Metric" value={figure} change={setFigure} choices={FIGURES} />
        <SelectField name="days" label="Period" value={period} change={setPeriod} choices={PERIODS} />
      </div>
      <Show loaded={loaded} reload={reload}>
        {({ days }) => <Days days={days} present={present} figure={figure} />}
      </Show>
    </section>
  )
}

function Days({ days, present, figure }: { days: readonly StatsDay[]; present: Point; figure: Figure }) {
  const points = useMemo((): Point[] => [...days, present], [days, present])
  const plotted = useMemo(
    () => ({
      xs: points.map(({ takenAt }) => Date.parse(takenAt) / 1000),
      series: [{ label: FIGURES[figure], values: points.map((point) => heightOf(point, figure)) }],
    }),
    [points, figure],
  )
  const [first] = days
  if (!first)
    return (
      <Empty title="No history yet.">
        <p>A snapshot is taken every day shortly after midnight (UTC).</p>
      </Empty>
    )
  return (
    <>
      <Chart
        {...plotted}
        {...(figure === LOCKED ? { unit: 'CRED' } : { isWhole: true })}
        summary={`${FIGURES[figure]}: ${textOf(first, figure)} on ${first.day}, ${textOf(present, figure)} now.`}
      />
      <Disclosure summary="Show as table">
        <Table points={points.toReversed()} />
      </Disclosure>
    </>
  )
}

const Table = ({ points }: { points: readonly Point[] }) => {
  const figures = Object.entries(FIGURES) as [Figure, string][]
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {figures.map(([figure, words]) => (
              <th key={figure} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.takenAt}>
              <th scope="row">
                <Time at={point.takenAt} />
              </th>
              {figures.map(([figure]) => (
                <td key={figure} class="amount">
                  {textOf(point, figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
