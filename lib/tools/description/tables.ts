import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '../../../schema/errors.ts'
import { eventTable, eventTypes, retainedEventTypes } from '../../../schema/wire/event-types/table.ts'
import { sessionAccessOf } from '../../http/operation.ts'
import {
  deadlines,
  QUEUED_JOBS,
  transitions,
  UNENDED_JOBS,
  UNFUNDED_JOBS,
  UNFUNDED_JOBS_UNPAID,
} from '../../work/rules.ts'
import { countedLimitRows, limitKeyRows, rateLimitRows } from './call-limits.ts'
import { jobGrowthRows } from './job-growth.ts'
import { keyOf, permissionsOf, readRoutes } from './routes.ts'
import { settingRows } from './settings.ts'
import { webhookLimitRows } from './webhook-limits.ts'

const ROOT = join(import.meta.dirname, '../../..')

async function operationRows(): Promise<string[]> {
  return (await readRoutes()).map((route) => {
    const permissions = permissionsOf(route).map((permission) => `\`${permission}\``)
    const session = permissions.join(' or ') || 'yes'
    const caller = sessionAccessOf(route.access) ? session : ''
    return `| ${keyOf(route)} | ${caller} | ${route.docs.summary} |\n`
  })
}

const errorRows = (): string[] =>
  Object.entries(errors)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning }]) => `| ${code} | ${status} | ${meaning} |\n`)

const eventRows = (): string[] =>
  eventTypes.map((type) => {
    const { words, example } = eventTable[type]
    const { meaning, log, ofAgent } = words
    return `| ${type} | ${meaning} | ${log} | ${ofAgent ? 'yes' : ''} | ${retainedEventTypes.includes(type) ? 'for ever' : 'a year'} | \`${JSON.stringify(example.data)}\` |\n`
  })

const stateRows = (): string[] =>
  transitions.map(({ from, act, by, only = '', to, agentGets = '', reason }) => {
    const next = to ?? (agentGets === 'nothing' ? 'rejected' : 'completed')
    return `| ${from.join(', ')} | ${act} | ${by.join(', ')} | ${only} | ${next} | ${agentGets} | ${reason ? `\`${reason}\`` : ''} |\n`
  })

const deadlineRows = (): string[] =>
  Object.entries(deadlines).map(
    ([status, { name, since, words }]) => `| ${name} | ${status} | ${since} | ${words} |\n`,
  )

const jobLimitRows = (): string[] =>
  [
    [
      'unfunded jobs',
      'hirer',
      `${UNFUNDED_JOBS}; ${UNFUNDED_JOBS_UNPAID} if it never paid`,
      '`too_many_unended`',
    ],
    ['jobs that have not ended', 'hirer', `${UNENDED_JOBS}`, '`too_many_unended`'],
    ['orders that wait', 'agent', `${QUEUED_JOBS}`, 'another order yields, or `queue_full`'],
    ['new orders an hour', 'client address', 'a parameter', '`too_many_jobs`'],
  ].map((cells) => `| ${cells.join(' | ')} |\n`)

const variableRows = (): string[] => settingRows(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'))

/**
 * The generated tables: the file with the markers of each, and its rows from the code.
 */
const tables: { file: string; name: string; rows: () => Promise<string[]> | string[] }[] = [
  { file: 'functions/README.md', name: 'operations', rows: operationRows },
  { file: 'functions/growth.md', name: 'unpaid-orders', rows: jobGrowthRows },
  { file: 'functions/limits.md', name: 'limit-keys', rows: limitKeyRows },
  { file: 'functions/limits.md', name: 'rates', rows: rateLimitRows },
  { file: 'functions/limits.md', name: 'counted', rows: countedLimitRows },
  { file: 'lib/http/README.md', name: 'error-codes', rows: errorRows },
  { file: 'lib/events/README.md', name: 'events', rows: eventRows },
  { file: 'lib/events/sending/README.md', name: 'limits', rows: webhookLimitRows },
  { file: 'functions/operate.md', name: 'settings', rows: variableRows },
  { file: 'lib/work/README.md', name: 'states', rows: stateRows },
  { file: 'lib/work/README.md', name: 'deadlines', rows: deadlineRows },
  { file: 'lib/work/README.md', name: 'job-limits', rows: jobLimitRows },
]

/** Returns every file with tables, with its present and its fresh text. */
export async function readTables(): Promise<{ file: string; text: string; fresh: string }[]> {
  const files = new Map<string, { text: string; fresh: string }>()
  for (const { file, name, rows } of tables) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const former = files.get(file)?.fresh ?? text
    const table = new RegExp(`(<!-- ${name} -->\\n(?:\\|.*\\n){2})(?:\\|.*\\n)*`)
    if (!table.test(former)) throw new Error(`${file} lacks the markers of its table of ${name}`)
    const body = (await rows()).join('')
    files.set(file, { text, fresh: former.replace(table, (_all, head: string) => head + body) })
  }
  return [...files].map(([file, texts]) => ({ file, ...texts }))
}

/** Writes the tables into their files. */
export async function writeTables(): Promise<void> {
  for (const { file, fresh } of await readTables()) writeFileSync(join(ROOT, file), fresh)
}
