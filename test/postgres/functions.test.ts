import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as grants from '../../lib/auth/grants/rules.ts'
import { readHead } from '../../lib/cli/functions.ts'
import { nextDaily } from '../../lib/clock/jobs.ts'
import { functionSources } from '../../lib/migrations/migrations.ts'
import { DISCOVER_AFTER_MS, LAPSE_DAYS } from '../../lib/payments/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import { FIRST_CHECK_MS, RECHECK_MS } from '../../lib/transactions/confirmation/check-schedule.ts'
import { BLOCKHASH_BLOCKS } from '../../lib/transactions/relay/limits.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS } from '../../lib/vault/limits.ts'
import * as x402 from '../../lib/x402/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { MAX_CHARGED } from '../../schema/values.ts'
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
/** Returns a function's body with the bodies of the parts that it calls. */
const withParts = (text: string) =>
  [
    text,
    ...sources
      .filter(({ isPart, name }) => isPart && bodyOf(text).includes(`${name}(`))
      .map((part) => part.text),
  ]
    .map(bodyOf)
    .join()

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

it('has the same limits in SQL and TypeScript', () => {
  const textOf = (wanted: string) => sources.find(({ name }) => name === wanted)?.text
  expect(textOf('admit_stack')).toContain(`max_open_stacks constant integer := ${MAX_OPEN_STACKS};`)
  expect(textOf('admit_stack')).toContain(`max_open_positions constant integer := ${MAX_OPEN_POSITIONS};`)
  expect(textOf('record_charge')).toContain(`max_charged constant bigint := ${MAX_CHARGED};`)
  expect(textOf('charge_state')).toContain(`make_interval(secs => ${LAPSE_DAYS} * 86400)`)
  expect(textOf('first_check')).toContain(`interval '${FIRST_CHECK_MS / 1000} seconds'`)
  expect(textOf('expire_vault_intent')).toContain(`interval '${RECHECK_MS / 60_000} minutes'`)
  expect(textOf('record_charge')).toContain(
    `seek_at = _now + interval '${DISCOVER_AFTER_MS / 60_000} minute'`,
  )
  expect(textOf('take_undiscovered_budgets')).toContain(
    `interval '1 day ${(nextDaily(0) % DAY_MS) / 60_000} minutes'`,
  )
  expect(textOf('set_request_prices')).toContain(
    `max_superseded constant integer := ${x402.MAX_SUPERSEDED_PRICES};`,
  )
  expect(textOf('set_request_prices')).toContain(
    `_now - interval '${(x402.KNOWN_PRICE_MS - x402.SUPERSEDED_PRICE_MS) / 60_000} minutes'`,
  )
  expect(textOf('price_holds')).toContain(`interval '${x402.SUPERSEDED_PRICE_MS / 60_000} minutes'`)
  expect(textOf('request_refusal')).toContain(`max_at_first constant integer := ${x402.MAX_AT_FIRST};`)
  expect(textOf('request_refusal')).toContain(`max_in_flight constant integer := ${x402.MAX_IN_FLIGHT};`)
  expect(textOf('request_refusal')).toContain(`owners_of_a_day constant integer := ${x402.OWNERS_OF_A_DAY};`)
  expect(textOf('request_refusal')).toContain(
    `identifier_holds constant interval := interval '${x402.IDENTIFIER_MS / DAY_MS} days';`,
  )
  expect(textOf('settle_request_payment')).toContain(
    `recheck_after constant interval := interval '${x402.RECHECK_AFTER_MS / 1000} seconds';`,
  )
  const refused = textOf('record_request_refusal')
  expect(refused).toContain(
    `pause constant interval := interval '${x402.REFUSAL_PAUSE_MS / 3_600_000} hour';`,
  )
  expect(refused).toContain(
    `event_pause constant interval := interval '${x402.REFUSAL_EVENT_MS / 3_600_000} hours';`,
  )
  expect(textOf('count_failure_event')).toContain(
    `max_events constant integer := ${x402.MAX_FAILURE_EVENTS};`,
  )
  const resolved = textOf('resolve_request_payments')
  expect(resolved).toContain(`max_failures constant integer := ${x402.MAX_FAILURES};`)
  expect(resolved).toContain(`max_agents constant integer := ${x402.MAX_AGENTS};`)
  expect(resolved).toContain(`bar constant interval := interval '${x402.BAR_MS / 3_600_000} hour';`)
  expect(textOf('use_key')).toContain(
    `use_written constant interval := interval '${grants.USE_WRITTEN_MS / 3_600_000} hour';`,
  )
  expect(textOf('add_grant')).toContain(`most_active constant integer := ${grants.GRANTS_PER_WALLET};`)
  expect(textOf('refresh_grant')).toContain(
    `repeatable_seconds constant integer := ${grants.REPEATABLE_SECONDS};`,
  )
  expect(textOf('is_active_grant')).toContain(`secs => ${grants.GRANT_UNUSED_MS / DAY_MS} * 86400`)
  expect(textOf('land_budgets')).toContain(`blockhash_blocks constant integer := ${BLOCKHASH_BLOCKS};`)
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
