import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measured } from './measure.ts'

/** A figure that the project set itself, and what was measured. Missing it fails nothing. */
export type Goal = { what: string; measured: number; limit: number; is: 'at most' | 'at least' }

/** The results of one part: a table, and its goals. */
export type Section = {
  title: string
  columns: string[]
  rows: (string | number)[][]
  goals: Goal[]
  notes?: string[]
}

export const MEASURED_COLUMNS = ['', 'CPU ms', 'a second', 'p50 ms', 'p99 ms', 'bytes', 'round trips']

/** Rows of MEASURED_COLUMNS. */
export const measuredRows = (measured: Map<string, Measured>, roundTrips: Record<string, number> = {}) =>
  [...measured].map(([name, { cpuMs, perSecond, p50Ms, p99Ms, bytes }]) => [
    name,
    cpuMs,
    perSecond,
    p50Ms,
    p99Ms,
    Math.round(bytes),
    roundTrips[name] ?? '',
  ])

/** The ratio of two subjects' figures. */
export function ratioOf(measured: Map<string, Measured>, key: keyof Measured, ours: string, peer: string) {
  return (measured.get(ours)?.[key] ?? Number.NaN) / (measured.get(peer)?.[key] ?? Number.NaN)
}

/** A section as Markdown. */
export function sectionText({ title, columns, rows, goals, notes = [] }: Section): string {
  const table = [columns, columns.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  const lines = table.map((row) => `| ${row.map(shown).join(' | ')} |`)
  const reached = goals.map(
    ({ what, measured, limit, is }) =>
      `- ${what}: **${shown(measured)}** (goal: ${is} ${limit}) ${isReached({ measured, limit, is }) ? 'reached' : 'missed'}`,
  )
  return [`### ${title}`, '', ...lines, '', ...reached, ...notes.map((note) => `- ${note}`), ''].join('\n')
}

const isReached = ({ measured, limit, is }: Pick<Goal, 'measured' | 'limit' | 'is'>) =>
  is === 'at most' ? measured <= limit : measured >= limit

function shown(value: string | number): string {
  if (typeof value === 'string') return value
  if (Number.isInteger(value)) return value.toLocaleString('en')
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(value < 0.1 ? 3 : 2)
}

/** @throws Error that names what is no finite figure, or the subjects that have no row with one */
export function expectFigures(sections: Section[], subjects: string[]): void {
  const rows = sections.flatMap((section) => section.rows)
  const goals = sections.flatMap((section) => section.goals)
  const wrong = [
    ...rows.filter((row) => row.some((value) => typeof value === 'number' && !Number.isFinite(value))),
    ...goals.filter(({ measured }) => !Number.isFinite(measured)).map(({ what }) => [what]),
  ].map(([name]) => `${name}: not a figure`)
  const measured = rows.filter((row) => row.some((value) => typeof value === 'number')).map(([name]) => name)
  const missing = subjects
    .filter((subject) => !measured.includes(subject))
    .map((name) => `${name}: no figure`)
  if (wrong.length + missing.length > 0) throw new Error([...wrong, ...missing].join('\n'))
}

/** The machine, and how busy it was. */
export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  loadAverage: loadavg()[0] ?? 0,
})

/** A run's figures, and the rows that each of its parts promised. */
export type Report = { at: Date; promised: Record<string, string[]>; sections: Section[] }

/** Writes a report as JSON to a new file of the temporary folder; returns its path. */
export async function writeJson({ at, ...figures }: Report): Promise<string> {
  const path = join(tmpdir(), `agentcred-bench-${at.toISOString().replace(/[:.]/g, '-')}.json`)
  await writeFile(path, `${JSON.stringify({ at, machine: machine(), ...figures }, null, 2)}\n`)
  return path
}
