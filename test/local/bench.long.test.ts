import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { Report } from '../bench/harness/report.ts'
import { runScript } from '../support/process.ts'

/** A part of few seconds. `npm run nightly -- bench` runs all, and fails where a subject has no figure. */
const PART = 'catalog'

it('measures every subject of a part when it is run by itself', async () => {
  const run = runScript('bench', [PART], { BENCH_QUICK: '1' })
  onTestFinished(async () => void (await run.stop()))
  expect(await run.ended, run.output()).toBe(0)
  const path = /^as JSON: (.+)$/m.exec(run.output())?.[1] ?? ''
  const { promised, sections }: Report = JSON.parse(readFileSync(path, 'utf8'))
  const rows = sections.flatMap((section) => section.rows)
  const figures = (promised[PART] ?? []).map((subject) => [
    subject,
    rows.filter(([first]) => first === subject).flatMap((row) => row.slice(1).filter((one) => one !== '')),
  ])
  expect(figures.length).toBeGreaterThan(0)
  expect(figures.filter(([, of]) => of?.length === 0)).toEqual([])
  // Without a figure JSON has null.
  expect(figures.filter(([, of]) => [...(of ?? [])].some((one) => typeof one !== 'number'))).toEqual([])
  const goals = sections.flatMap((section) => section.goals)
  expect(goals.filter(({ measured }) => typeof measured !== 'number')).toEqual([])
})
