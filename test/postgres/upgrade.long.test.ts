import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { groups, loginOf, roleOf } from '../../schema/rights.ts'
import { register } from '../support/agents.ts'
import { addDatabase, createDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { presentRelease, upgradeFrom } from '../support/upgrade/databases.ts'
import { createRecorder } from '../support/upgrade/recorder.ts'
import {
  type Example,
  type Recording,
  readRecording,
  recordedVersions,
} from '../support/upgrade/recording.ts'
import { replay } from '../support/upgrade/replay.ts'
import { KEPT_ROWS, purchaseRow, requestRows } from '../support/upgrade/request-rows.ts'
import { type Row, writeRows } from '../support/upgrade/rows.ts'

/** A connection to a database that a release has left, with rows, and the present one has migrated. */
async function upgraded(recording: Omit<Recording, 'examples'>, rows?: Row[]) {
  const url = await addDatabase()
  await upgradeFrom(url, recording, rows)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/**
 * Returns errors in the examples on a database.
 * @param beside the rows that are there, too
 */
async function differencesOf(
  client: pg.Client,
  examples: Example[],
  before?: string,
  beside?: (rows: Row[]) => Row[],
): Promise<string[]> {
  const differences: string[] = []
  for (const example of examples) {
    const more = beside && { rows: beside(example.rows), kept: KEPT_ROWS }
    const difference = await replay(client, example, before, more)
    if (difference !== undefined) differences.push(difference)
  }
  return differences
}

describe.each(recordedVersions())('Workers of %s', (version) => {
  const recording = readRecording(version)

  it('get the answers that they know from the present schema', async () => {
    const client = await upgraded(recording)
    expect(await differencesOf(client, recording.examples)).toEqual([])
    await client.end()
  })

  it('succeed after a rollback next to payments for requests, which stay unchanged', async () => {
    const client = await upgraded(recording)
    expect(await differencesOf(client, recording.examples, undefined, requestRows)).toEqual([])
    await client.end()
  })

  it.each(['landed', 'expired', 'failed'])(
    'leave a purchase that has %s to the release that knows it, and settle the rest',
    async (outcome) => {
      const client = await upgraded(recording)
      const rowsOf = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows
      const isSettling = ({ role, statements }: Example) =>
        role === loginOf('settlement', 'a') && statements[0]?.query.includes('"settle_payments"')
      const { rows, role, statements } = recording.examples.find(isSettling) ?? expect.fail()
      const params = statements[0]?.params?.map(String) ?? []
      const wallet = createWallet().publicKey
      const purchase = '01a20fff-0000-7000-8000-000000000000'
      await client.query('begin')
      await writeRows(client, rows)
      await writeRows(client, [purchaseRow(wallet, 'signed', purchase)])
      const settle = async (schema: string, role: string | null) => {
        const beside = [purchase, `signature of ${purchase}`, '204', outcome]
        const lists = beside.map((one, index) => params[index]?.replace('}', `,"${one}"}`))
        await client.query(`set local role ${role}`)
        await client.query(`select 1 from ${schema}.settle_payments($1, $2, $3, $4, $5, $6)`, [
          ...[...lists, ...params.slice(4)],
        ])
        await client.query('reset role')
      }
      const statuses = () =>
        rowsOf('select id, status from payment_intents where id = any ($1) order by id', [
          [params[0]?.slice(2, -2), purchase],
        ])
      await settle(recording.apiSchema, role)
      expect((await statuses()).map(({ status }) => status)).toEqual(['landed', 'open'])
      // Once more, and then the present release twice.
      await settle(recording.apiSchema, role)
      for (const _ of [1, 2]) await settle(API_SCHEMA, role)
      expect((await statuses()).map(({ status }) => status)).toEqual(['landed', outcome])
      const credit = await rowsOf('select balance::int from credits where owner = $1', [wallet])
      expect(credit).toEqual(outcome === 'landed' ? [{ balance: 5_000 }] : [])
      await client.query('rollback')
      await client.end()
    },
  )

  it('find the rows that they have left', async () => {
    const most = Math.max(...recording.examples.map(({ rows }) => rows.length))
    const example = recording.examples.find(({ rows }) => rows.length === most) ?? expect.fail()
    const client = await upgraded(recording, example.rows)
    expect(await differencesOf(client, [{ ...example, rows: [] }])).toEqual([])
    await client.end()
  })
})

describe('a recording', () => {
  let release: Omit<Recording, 'examples'>
  let examples: Example[]
  let client: pg.Client
  const namedOf = (name: string) =>
    examples.filter(({ statements }) => statements[0]?.query.includes(`"${name}"(`))

  beforeAll(async () => {
    const recorder = createRecorder()
    const database = await createDatabase(recorder)
    release = { version: 'the present', ...(await presentRelease(database.engine)) }
    const service = await startService({ groups: ['auth', 'agents', 'events'], database })
    const { call } = await service.signIn()
    const hirer = await service.signIn()
    const { id } = await register(call)
    for (let tried = 0; tried < 2; tried++)
      await hirer.call('POST', '/agents/hire', { body: { agentId: id } })
    await service.call('GET', `/agents/${id}`)
    await hirer.call('GET', '/agents/hire')
    await hirer.call('GET', '/events')
    await service.stop()
    examples = recorder.examples
    client = await upgraded(release)
  })
  afterAll(() => client.end())

  it('has each outcome of a function, and the rows that were there before it', () => {
    const hires = namedOf('hire_agent')
    expect(hires.map(({ answer }) => 'results' in answer && answer.results[0]?.outcome)).toEqual([
      'hired',
      'already_hired',
    ])
    expect(new Set(hires.map(({ role }) => role))).toEqual(new Set([loginOf('decide', 'a')]))
    const [before, after] = hires.map(({ rows }) => rows.filter(([table]) => table === 'hires').length)
    expect([before, after]).toEqual([0, 1])
    expect(examples.length).toBeGreaterThan(7)
  })

  it('is repeated as often as one likes', async () => {
    expect(await differencesOf(client, examples)).toEqual([])
    expect(await differencesOf(client, examples)).toEqual([])
  })

  it.each([
    'alter table hires add column note text',
    `alter table hires add column note text not null default ''`,
    'create table notes (id uuid primary key)',
    'create index on hires (expires_at, wallet)',
    // A contraction: no statement of these names it.
    'alter table endpoints drop column previous_secret',
  ])('works after %s', async (change) => {
    expect(await differencesOf(client, examples, change)).toEqual([])
  })

  const API = API_SCHEMA
  it.each([
    ['a dropped column', 'alter table agents drop column logo_url', /column .*logo_url"? does not exist/],
    [
      'a column that has another name in the body of a function',
      'alter table wallet_quotas rename column active_agents to agents_now',
      /register_agent.*column .*active_agents.* does not exist/,
    ],
    [
      'a new column that may not be null and has no default',
      'alter table events add column note text not null',
      /hire_agent.*null value in column "note"/,
    ],
    ['a dropped function', `drop function ${API}.hire_agent`, /hire_agent.*function .* does not exist/],
    [
      'a dropped index that an insert on conflict needs',
      'alter table wallets drop constraint wallets_pkey cascade',
      /record_login.*no unique or exclusion constraint matching the ON CONFLICT/,
    ],
    [
      'a new outcome',
      renaming('hire_agent', "'already_hired'", "'hired_before'"),
      /hired_before.* instead of/,
    ],
  ])('fails after %s', async (_name, change, difference) => {
    expect((await differencesOf(client, examples, change)).join('\n')).toMatch(difference)
  })

  it.each([
    [`execute on function ${API}.hire_agent`, /hire_agent.*permission denied for function hire_agent/],
    ['select on agents', /permission denied for table agents/],
    [`usage on schema ${API}`, /permission denied for schema/],
  ])('fails without the right to %s', async (right, difference) => {
    const revocation = `revoke ${right} from ${groups.map(roleOf).join()}`
    expect((await differencesOf(client, examples, revocation)).join('\n')).toMatch(difference)
  })

  it('is refused with another text of a released migration, or other functions', async () => {
    await expect(upgraded({ ...release, migrations: ['other'] })).rejects.toThrow('never changes')
    await expect(upgraded({ ...release, functions: 'other' })).rejects.toThrow('functions have changed')
  })
})

/** Makes a function anew with another text in its body. */
function renaming(name: string, text: string, other: string): string {
  const quoted = (words: string) => words.replaceAll("'", "''")
  return `do $do$ begin
    execute (select replace(pg_get_functiondef(oid), '${quoted(text)}', '${quoted(other)}') from pg_proc
      where pronamespace = '${API_SCHEMA}'::regnamespace and proname = '${name}');
  end $do$`
}
