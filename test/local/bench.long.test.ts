import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Report } from '../bench/harness/report.ts'
import { parts } from '../bench/parts.ts'
import { runScript } from '../support/process.ts'

/** Runs a part of the benchmark on few rows, as a process of its own. @returns what it wrote */
async function measure(name: string): Promise<Report> {
  const run = runScript('bench', [name], { BENCH_QUICK: '1' })
  onTestFinished(async () => void (await run.stop()))
  expect(await run.ended, run.output()).toBe(0)
  const path = /^as JSON: (.+)$/m.exec(run.output())?.[1] ?? ''
  return JSON.parse(readFileSync(path, 'utf8'))
}

describe('npm run bench', () => {
  it.each(Object.keys(parts))('measures every subject of %s when it is run by itself', async (name) => {
    const { promised, sections } = await measure(name)
    const subjects = promised[name] ?? []
    const rows = sections.flatMap((section) => section.rows)
    const figuresOf = (subject: string) =>
      rows.filter(([first]) => first === subject).flatMap((row) => row.slice(1).filter((one) => one !== ''))
    const figures = subjects.map((subject) => [subject, figuresOf(subject)] as const)
    expect(figures.length).toBeGreaterThan(0)
    expect(figures.filter(([, of]) => of.length === 0)).toEqual([])
    // Without a figure JSON has null.
    expect(figures.filter(([, of]) => of.some((one) => typeof one !== 'number'))).toEqual([])
    const goals = sections.flatMap((section) => section.goals)
    expect(goals.filter(({ measured }) => typeof measured !== 'number')).toEqual([])
  })
})
