import { describe, expect, it } from 'vitest'
import { JOBS, type Job } from '../../../lib/clock/jobs.ts'
import { functionSources } from '../../../lib/migrations/migrations.ts'
import { productSources } from '../../support/modules.ts'

/*
 * Every write that makes work due declares its kind and time. A function of Postgres does so in its head:
 * `-- due: <kind> <when>`, several apart by `; `. A statement of Drizzle does so in the doc comment of the
 * function that runs it: `@due <kind> <when>`. The caller schedules it on the Clock.
 */

type Write = { name: string; call: RegExp; home: string; due: string[] }

/** Due work whose time the job run of its kind answers: no other write schedules it. */
const BY_ITS_RUN = /\(its job run answers\)$/

const jobOf = (due: string): Job => due.split(' ')[0] as Job
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const sources = functionSources()
const dueOf = (text: string) =>
  [...text.matchAll(/^-- due: (.*)$/gm)].flatMap(([, due]) => String(due).split('; '))

const functions: (Write & { text: string })[] = sources
  .filter(({ isPart }) => !isPart)
  .map(({ name, text }) => ({
    name,
    text,
    call: new RegExp(`\\bpostgres\\s*\\.${camelCase(name)}\\b`),
    home: 'lib/db/functions.ts',
    due: dueOf(text),
  }))

const statements: Write[] = productSources().flatMap(({ path, text }) =>
  [
    ...text.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*@due [\s\S]*?)\*\/\s*export (?:async )?(?:function|const) (\w+)/g,
    ),
  ].map(([, comment = '', name = '']) => ({
    name,
    call: new RegExp(`\\b${name}\\(`),
    home: path,
    due: [...comment.matchAll(/@due (.*)$/gm)].map(([, due]) => String(due)),
  })),
)

/**
 * Functions of the shared relay that announce work of a kind for their callers: `scheduleSettlement`, and
 * what calls it.
 */
function helpersOf(job: Job): string[] {
  const shared = productSources().filter(({ path }) => path.startsWith('lib/transactions/relay/'))
  const exported = (files: typeof shared) =>
    files
      .flatMap(({ text }) => [...text.matchAll(/export (?:async )?(?:function|const) (\w+)/g)])
      .map(([, name]) => String(name))
  const helpers = exported(shared.filter(({ text }) => says(text, job)))
  const callers = shared.filter(({ text }) => helpers.some((helper) => text.includes(`${helper}(`)))
  return [...helpers, ...exported(callers)]
}

const says = (text: string, job: Job) => new RegExp(`\\b(schedule|scheduleOrFail)\\(\\s*'${job}'`).test(text)

const announces = (text: string, job: Job) =>
  says(text, job) || helpersOf(job).some((helper) => text.includes(`${helper}(`))

const writes = [...functions, ...statements].filter(({ due }) => due.length > 0)

/** Writes of functions of Postgres by which work becomes due. */
const DUE_BY: [Job, RegExp][] = [
  ['hires', /insert into hires\b/],
  ['hires', /update hires set[^;]*\bexpires_at =/],
  ['looks', /insert into agents \(/],
  ['looks', /update agents set[^;]*\bapi_endpoint =/],
  ['looks', /update probed_hosts set[^;]*\bnext_turn_at =/],
  ['looks', /update request_resources set[^;]*\bnext_probe_at =/],
  ['catalog', /update request_resources set[^;]*\bdocument =/],
]

describe('a write that makes work due', () => {
  it('is declared in the heads of the functions that do it', () => {
    const written = functions.flatMap(({ name, text, due }) =>
      DUE_BY.filter(([, write]) => write.test(text)).map(([job]) => ({
        write: `${name} makes ${job} due`,
        isSaid: due.some((one) => jobOf(one) === job),
      })),
    )
    expect(written.length).toBeGreaterThan(4)
    expect(written.filter(({ isSaid }) => !isSaid)).toEqual([])
  })

  it('names a kind of job and a time', () => {
    const wrong = writes.flatMap(({ name, due }) =>
      due.filter((one) => !JOBS.includes(jobOf(one)) || !/^\w+ .+/.test(one)).map((one) => `${name}: ${one}`),
    )
    expect(wrong).toEqual([])
    const parts = sources
      .filter(({ isPart }) => isPart)
      .flatMap(({ name, text }) => dueOf(text).map(() => name))
    expect(parts, 'a part says it in the heads of the functions that call it').toEqual([])
    expect(new Set(writes.flatMap(({ due }) => due.map(jobOf)))).toContain('hires')
    expect(statements.map(({ name }) => name)).toContain('upsertRegistration')
  })

  it('is scheduled by every file that calls it', () => {
    // What a command records after a restore, it settles itself.
    const callers = productSources().filter(({ path }) => !path.includes('/restore/'))
    const silent = writes.flatMap(({ name, call, home, due }) =>
      due
        .filter((one) => !BY_ITS_RUN.test(one))
        .flatMap((one) =>
          callers
            .filter(({ path, text }) => path !== home && call.test(text) && !announces(text, jobOf(one)))
            .map(({ path }) => `${path} calls ${name}, and does not say: ${one}`),
        ),
    )
    expect(silent).toEqual([])
  })

  it('is called', () => {
    const called = ({ call, home }: Write) =>
      productSources().some(({ path, text }) => path !== home && call.test(text))
    expect(writes.filter((write) => !called(write)).map(({ name }) => name)).toEqual([])
  })
})
