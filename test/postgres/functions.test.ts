import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as grants from '../../lib/auth/grants/rules.ts'
import { readHead } from '../../lib/cli/functions.ts'
import { nextDaily } from '../../lib/clock/jobs.ts'
import * as webhooks from '../../lib/events/limits.ts'
import * as firstProbe from '../../lib/liveness/first-probe.ts'
import { functionSources } from '../../lib/migrations/migrations.ts'
import * as payments from '../../lib/payments/rules.ts'
import * as counterparties from '../../lib/reputation/counterparties/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import * as checks from '../../lib/transactions/confirmation/check-schedule.ts'
import * as relay from '../../lib/transactions/relay/limits.ts'
import * as vault from '../../lib/vault/limits.ts'
import * as work from '../../lib/work/rules.ts'
import * as x402 from '../../lib/x402/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import * as values from '../../schema/values.ts'
import * as history from '../../schema/wire/agents.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const sources = functionSources()
const functions = sources.filter(({ isPart }) => !isPart)
const bodyOf = (text: string) => text.slice(text.indexOf('$$'))
/** Returns a function's body with the bodies of the parts that it calls, and of those that they call. */
const withParts = (text: string): string => {
  const bodies = new Set([bodyOf(text)])
  for (const body of bodies)
    for (const part of sources)
      if (part.isPart && body.includes(`${part.name}(`)) bodies.add(bodyOf(part.text))
  return [...bodies].join()
}

const catalog = async () =>
  (await db.$client.query(
    `select proname as name, prosecdef as is_definer, proconfig as settings, proretset as is_table,
       has_function_privilege('public', oid, 'execute') as is_public
     from pg_proc where pronamespace = '${API_SCHEMA}'::regnamespace`,
  )) as {
    name: string
    is_definer: boolean
    settings: string[] | null
    is_table: boolean
    is_public: boolean
  }[]

describe('the functions of the release', () => {
  it('match the files, each once', async () => {
    const names = (await catalog()).map(({ name }) => name)
    expect(names.toSorted()).toEqual(sources.map(({ name }) => name).toSorted())
  })

  it('can be executed only by roles with the right', async () => {
    expect((await catalog()).filter((one) => one.is_public)).toEqual([])
  })

  it('run as their owner with a pinned search_path when Workers call them', async () => {
    const called = (await catalog()).filter(({ name }) => functions.some((one) => one.name === name))
    for (const { name, is_definer, settings, is_table } of called)
      expect({ name, is_definer, settings, is_table }).toEqual({
        name,
        is_definer: true,
        settings: [`search_path=${API_SCHEMA}, public, pg_temp`],
        // It refuses or is silent.
        is_table: name !== 'assert_session',
      })
  })

  it('compile: nothing in them is misspelt', async () => {
    const texts = sources.map(({ text }) => text.replace(/^create function/m, 'create or replace function'))
    const check = [
      'set local check_function_bodies = on',
      `set local search_path = ${API_SCHEMA}, public, pg_temp`,
    ]
    await db.$client.transaction([...check, ...texts].map((text) => db.$client.query(text)))
  })
})

/** The modules whose constants SQL repeats: a comment beside each figure names the constant and module. */
const modules: Record<string, Record<string, unknown>> = {
  'lib/auth/grants/rules.ts': grants,
  'lib/events/limits.ts': webhooks,
  'lib/liveness/first-probe.ts': firstProbe,
  'lib/payments/rules.ts': payments,
  'lib/reputation/counterparties/rules.ts': counterparties,
  'lib/transactions/confirmation/check-schedule.ts': checks,
  'lib/transactions/relay/limits.ts': relay,
  'lib/vault/limits.ts': vault,
  'lib/work/rules.ts': work,
  'lib/x402/rules.ts': x402,
  'schema/values.ts': values,
  'schema/wire/agents.ts': history,
}

/** A line of SQL with a figure and the constant that it repeats; without a module, it is the one before. */
const REPEATED = /^(?<code>.*\S) -- (?<name>[A-Z][A-Z_]{3,})(?: of (?<path>\S+\.ts))?$/gm
const UNITS_MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: DAY_MS }

/** The last figure of a line: an interval in milliseconds, seconds times 86400 in days, or a number. */
function figureOf(code: string): number {
  const [, length, unit] = /interval '(\d+) (\w+?)s?'/.exec(code) ?? []
  if (unit !== undefined) return Number(length) * UNITS_MS[unit as keyof typeof UNITS_MS]
  return Number(/(\d+)(?: \* 86400)?\D*$/.exec(code)?.[1])
}

const repeated = sources.flatMap(({ name: file, text }) => {
  let module = ''
  return [...text.matchAll(REPEATED)].map(({ groups: { code = '', name = '', path = module } = {} }) => {
    module = path
    return { file, name, module, code }
  })
})

it.each(repeated)('$file has the $name of TypeScript', ({ name, module, code }) => {
  const constant = Number(modules[module]?.[name])
  expect(figureOf(code)).toBe(code.includes('* 86400') && name.endsWith('_MS') ? constant / DAY_MS : constant)
})

it('has the other limits of TypeScript', () => {
  expect(repeated.length).toBeGreaterThan(30)
  const textOf = (wanted: string) => sources.find(({ name }) => name === wanted)?.text
  const minutes = (ms: number) => `interval '${ms / 60_000} minute${ms === 60_000 ? '' : 's'}'`
  expect(textOf('expire_vault_intent')).toContain(minutes(checks.RECHECK_MS))
  expect(textOf('record_charge')).toContain(`seek_at = _now + ${minutes(payments.DISCOVER_AFTER_MS)}`)
  expect(textOf('set_request_prices')).toContain(minutes(x402.KNOWN_PRICE_MS - x402.SUPERSEDED_PRICE_MS))
  for (const name of ['take_undiscovered_budgets', 'take_due_request_payments'])
    expect(textOf(name)).toContain(`interval '1 day ${(nextDaily(0) % DAY_MS) / 60_000} minutes'`)
})

it('enqueues every recorded event for its listeners', () => {
  const having = (call: RegExp) =>
    sources.filter(({ text }) => call.test(bodyOf(text))).map(({ name }) => name)
  expect(having(/\binsert into events\b/)).toEqual(['record_event'])
  // A test event goes to the one endpoint that is tested.
  expect(having(/\brecord_event\(/)).toEqual(['publish_event', 'test_webhook_endpoint'])
})

describe.each(sources)('$name', ({ name, text, isPart }) => {
  it('has no dynamic SQL', () => {
    expect(bodyOf(text)).not.toMatch(/^\s*execute\b/im)
  })

  it('reads no clock: time is a parameter', () => {
    expect(bodyOf(text)).not.toMatch(
      /\b(now\(\)|current_timestamp|clock_timestamp|statement_timestamp|localtime|current_date)/i,
    )
  })

  const hasSession = text.includes('_session_wallet') && name !== 'assert_session'
  if (hasSession)
    it('checks the session before it does anything else', () => {
      expect(text).toContain(`create function ${name}(_session_wallet text, _session_generation integer,\n`)
      expect(bodyOf(text)).toMatch(
        /^begin\n\tperform assert_session\(_session_wallet, _session_generation\);$/m,
      )
      const declared = bodyOf(text).slice(0, bodyOf(text).search(/^begin$/m))
      expect(declared).not.toMatch(/:=.*\bselect\b/)
    })

  it('raises only errors of class AC', () => {
    for (const [raised] of bodyOf(text).matchAll(/\braise\b[^;]*;/gi))
      expect(raised).toMatch(/errcode = 'AC\w{3}'/)
  })

  if (!isPart)
    it('returns the outcomes of its head', () => {
      for (const outcome of readHead({ name, text, isPart }).outcomes)
        expect(withParts(text)).toContain(`'${outcome}'`)
    })
})
