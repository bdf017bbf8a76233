import { useMemo, useState } from 'preact/hooks'
import type { ProtocolStats, StatsDay } from '../../client/index.ts'
import { formatCred } from '../kit/amounts.ts'
import { Chart } from '../kit/chart.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { SelectField } from '../kit/inputs.tsx'
import { Empty } from '../kit/loaded.tsx'
import { Time } from '../kit/text.tsx'

const FIGURES = {
  totalAgents: 'Agents',
  totalAttestations: 'Attestations',
  totalPioneers: 'Pioneers',
  totalValueLocked: 'Locked in vaults',
}
type Figure = keyof typeof FIGURES

type Values = Pick<StatsDay, Figure>
/** A recorded day, or the present moment. */
type Point = Values & { takenAt: string }

const LOCKED = 'totalValueLocked'
const textOf = (point: Values, figure: Figure) =>
  figure === LOCKED ? `${formatCred(point[LOCKED])} CRED` : point[figure].toLocaleString('en')
/** For the picture alone, so that a rounded number will do. */
const heightOf = (point: Values, figure: Figure) =>
  figure === LOCKED ? Number(point[LOCKED]) / 1e9 : point[figure]

/** One figure over time, as a chart and as a table. */
export function History({
  present,
  days,
  readAt,
}: {
  present: ProtocolStats
  days: readonly StatsDay[]
  readAt: Date
}) {
  const [figure, setFigure] = useState<Figure>('totalAgents')
  const points = useMemo(
    (): Point[] => [...days, { ...present, takenAt: readAt.toISOString() }],
    [days, present, readAt],
  )
  const plotted = useMemo(
    () => ({
      xs: points.map(({ takenAt }) => Date.parse(takenAt) / 1000),
      series: [{ label: FIGURES[figure], values: points.map((point) => heightOf(point, figure)) }],
    }),
    [points, figure],
  )
  const [first] = days
  return (
    <section aria-labelledby="history">
      <h2 id="history">Day by day</h2>
      <SelectField name="figure" label="Figure" value={figure} change={setFigure} choices={FIGURES} />
      {first ? (
        <>
          <Chart
            {...plotted}
            unit={figure === LOCKED ? 'CRED' : ''}
            summary={`${FIGURES[figure]}: ${textOf(first, figure)} on ${first.day}, ${textOf(present, figure)} now.`}
          />
          <Disclosure summary="The same as a table">
            <Table points={points.toReversed()} />
          </Disclosure>
        </>
      ) : (
        <Empty title="No day has been recorded yet.">
          <p>Each day is recorded within minutes of its beginning (UTC), and then stays as it is.</p>
        </Empty>
      )}
    </section>
  )
}

const Table = ({ points }: { points: readonly Point[] }) => {
  const figures = Object.entries(FIGURES) as [Figure, string][]
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Read</th>
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
