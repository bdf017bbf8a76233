import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { DAY_MS } from '../clock.ts'
import { formatAs, formatNumber, formatTime } from '../locale.ts'
import { shortNumbers } from './short-numbers.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = DAY_MS / 1_000
/** Below this span, in seconds, labels may be less than a minute apart. */
const SHORT = 15 * MINUTE

/** Possible intervals of a time axis, in seconds. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY),
]

/** Possible intervals of an axis of counts: 1, 2, 5, 10, 20, 50 … up to 5·10¹⁵. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => power).flatMap((power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
)

/** The space between two labels of the time axis, and of a tick with its gap, in pixels. */
const BETWEEN_LABELS = 16
const BESIDE_LABELS = 18

/** Unix seconds whose labels are among the longest: a time with two digits, and a date. */
const LONG_TIMES = [new Date(2026, 10, 30, 22, 30), new Date(2026, 10, 30)].map((time) => +time / 1_000)

type Series = { label: string; values: readonly number[]; isStepped?: boolean }

/**
 * Draws a line chart. Show its content as text next to it, too: a screen reader can't read a picture.
 * @param summary what the chart says, in one sentence
 * @param xs Unix seconds, or plain numbers with `isTime` false; as many as each series has values
 */
export function Chart({
  summary,
  xs,
  series,
  isTime = true,
  isWhole = false,
  unit = '',
}: {
  summary: string
  xs: readonly number[]
  series: readonly Series[]
  isTime?: boolean
  /** Whether the values are counts, so that there is nothing between 1 and 2. */
  isWhole?: boolean
  /** Of the values: above the vertical axis, and behind the value under the pointer. */
  unit?: string
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const amountOf = (value: number) => `${formatNumber(value)} ${unit}`.trim()
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name)
    const font = `12px ${getComputedStyle(element).fontFamily}`
    const widthOf = measureIn(font)
    const axis = {
      font,
      stroke: () => colour('--chart-text'),
      grid: { stroke: () => colour('--chart-line') },
    }
    const strokes = ['--chart-1', '--chart-2', '--chart-3']
    const size = () => ({ width: element.clientWidth, height: 220 })
    const plot = new UPlot(
      {
        ...size(),
        scales: { x: { time: isTime } },
        axes: [
          isTime
            ? {
                ...axis,
                incrs: TIME_STEPS,
                space: (_, _axis, from, to) => {
                  const step = to - from < SHORT ? 1 : MINUTE
                  return Math.max(...LONG_TIMES.map((time) => widthOf(dateOf(time, step)))) + BETWEEN_LABELS
                },
                values: (_, ticks, _axis, _space, step) => labelsOf(ticks.map((tick) => dateOf(tick, step))),
              }
            : axis,
          {
            ...axis,
            // As wide as its longest label in the visitor's font.
            size: (_, labels) => Math.ceil(Math.max(0, ...(labels ?? []).map(widthOf))) + BESIDE_LABELS,
            ...(isWhole && { incrs: WHOLE_STEPS }),
            values: (_, ticks) => labelsOf(shortNumbers(ticks)),
          },
        ],
        series: [
          {
            label: isTime ? 'Time' : '',
            value: (_, x) => (x === null ? '' : isTime ? timeOf(x) : String(x)),
          },
          ...series.map(({ label, values, isStepped }, index) => ({
            label,
            // Without a pointer, the latest.
            value: (_: UPlot, y: number | null) => amountOf(y ?? values.at(-1) ?? 0),
            stroke: () => colour(strokes[index % strokes.length] ?? '--chart-1'),
            width: 2,
            ...(isStepped && UPlot.paths.stepped ? { paths: UPlot.paths.stepped({ align: 1 }) } : {}),
          })),
        ],
      },
      [[...xs], ...series.map(({ values }) => [...values])],
      element,
    )
    const follow = new ResizeObserver(() => plot.setSize(size()))
    follow.observe(element)
    const theme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => plot.redraw()
    theme.addEventListener('change', redraw)
    return () => {
      theme.removeEventListener('change', redraw)
      follow.disconnect()
      plot.destroy()
    }
  }, [xs, series, isTime, isWhole, unit])
  return (
    <figure class="chart">
      {unit && (
        <p class="small unit" aria-hidden="true">
          {unit}
        </p>
      )}
      <div ref={box} aria-hidden="true" />
      <figcaption class="small">{summary}</figcaption>
    </figure>
  )
}

/** Returns labels; empty where one would repeat the label before it. */
const labelsOf = (texts: readonly string[]): string[] =>
  texts.map((text, index) => (text === texts[index - 1] ? '' : text))

/** Returns a function that measures a text in a font, in pixels. */
function measureIn(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = font
  return (text) => context?.measureText(text).width ?? 0
}

/** The time under the pointer. */
const timeOf = (seconds: number): string => formatTime(seconds * 1000)

/**
 * Returns a label of a time axis in the reader's time zone: the date at midnight, else the time.
 * @param step seconds between two labels: below a minute, the time has seconds
 */
function dateOf(seconds: number, step: number): string {
  const date = new Date(seconds * 1000)
  const isMidnight = date.getHours() + date.getMinutes() + date.getSeconds() === 0
  return isMidnight
    ? formatAs(seconds * 1000, { day: 'numeric', month: 'short' })
    : formatAs(seconds * 1000, { timeStyle: step < MINUTE ? 'medium' : 'short' })
}
