import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyMigrations, applyRights, functionSources } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { recordRelease } from '../../lib/migrations/release.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { type Group, groups, loginOf, logins, OWNERS, rightsOf, roleOf } from '../../schema/rights.ts'
import { addDatabase } from '../support/database.ts'
import { catalogOf, givenTo, type Tried, tryAll } from '../support/tried-rights.ts'

let client: pg.Client
let catalog: Awaited<ReturnType<typeof catalogOf>>
/** The statements that a login of each group may run. */
const tried = new Map<string, Tried>()

const migrate = async (url: string) => {
  const owner = await openPostgres(url)
  await applyMigrations(owner)
  await owner.close()
}

let url: string
beforeAll(async () => {
  url = await addDatabase()
  await migrate(url)
  client = new pg.Client({ connectionString: url })
  await client.connect()
  catalog = await catalogOf(client)
  for (const group of groups) tried.set(group, await tryAll(client, loginOf(group, 'a')))
})
afterAll(() => client.end())

const mayOf = (group: string): string[] => [...(tried.get(group) ?? [])]

it.each(groups)('%s has exactly the rights of schema/rights.ts on tables, columns and functions', (group) => {
  expect(mayOf(group).toSorted()).toEqual(givenTo(group, catalog.columns).toSorted())
})

it('schema/rights.ts knows every table and every function that could be called', () => {
  const all = groups.map(rightsOf)
  const tables = all.flatMap(({ select, insert, update, delete: deletable = [] }) => [
    ...Object.keys({ ...select, ...insert, ...update }),
    ...deletable,
  ])
  const isKnown = new Set([...tables, ...OWNERS.tables])
  for (const { table } of catalog.columns)
    expect(
      isKnown.has(table),
      `schema/rights.ts does not say who may read and write the table ${table}`,
    ).toBe(true)
  const isCalled = new Set([...all.flatMap(({ execute = [] }) => execute), ...OWNERS.functions])
  for (const { name } of functionSources().filter(({ isPart }) => !isPart))
    expect(isCalled.has(name), `schema/rights.ts does not say who may call the function ${name}`).toBe(true)
})

describe('rights in any version of schema/rights.ts', () => {
  const reading = (group: string) => mayOf(group).filter((right) => right.startsWith('select '))
  const writing = (group: string) => mayOf(group).filter((right) => /^(insert|update|delete) /.test(right))
  const others = (...some: string[]) => groups.filter((group) => !some.includes(group))

  it('probes reads no secret, no vault and no wallet’s rows, and writes its own alone', () => {
    expect(reading('probes').join('\n')).not.toMatch(
      /secret|challenge|code|nonce|wallet\b|owner|pubkey|hirer|webhook_url|email|vault|position|payment|charge|event|hires/,
    )
    for (const right of writing('probes')) expect(right).toMatch(/ (agent_endpoints|probed_hosts)\b/)
    expect(mayOf('probes').filter((right) => right.startsWith('execute '))).toHaveLength(5)
  })

  it('live reads events and agents’ names, and writes only how long a wallet listens', () => {
    expect(writing('live')).toEqual(['update wallets.listens_until'])
    for (const right of reading('live'))
      expect(right).toMatch(/ (events\.|agents\.(id|name)$|wallets\.(address|listens_until)$)/)
    for (const group of others('live')) expect(mayOf(group)).not.toContain('update wallets.listens_until')
  })

  it('jobs alone reads encrypted webhook secrets; nobody reads challenges and codes', () => {
    for (const group of others('jobs'))
      expect(reading(group).join('\n')).not.toMatch(/endpoints\.(previous_)?secret|targets\.challenge/)
    for (const group of groups) expect(mayOf(group).join('\n')).not.toContain('invite_codes')
  })

  it('auth alone ends sessions, by functions alone; no login reads or sets an epoch', () => {
    for (const group of groups)
      expect(mayOf(group).join('\n')).not.toMatch(
        /session_generation|(insert|delete) wallets|update wallets\.(?!listens_until)/,
      )
    for (const group of others('auth'))
      expect(mayOf(group).join('\n')).not.toMatch(/record_login|revoke_sessions/)
    expect(writing('auth')).toEqual([])
    expect(reading('auth').filter((right) => !right.startsWith('select grants.'))).toEqual([])
    for (const group of others('jobs', 'auth')) expect(mayOf(group).join('\n')).not.toContain('spent_nonces')
  })

  it('auth alone makes, refreshes and ends grants, by functions alone; jobs deletes them', () => {
    for (const group of others('auth'))
      expect(mayOf(group).join('\n')).not.toMatch(
        /record_consent|redeem_code|refresh_grant|use_key|end_grant/,
      )
    for (const group of others('auth', 'jobs')) expect(mayOf(group).join('\n')).not.toContain(' grants')
    expect(writing('jobs').filter((right) => right.includes('grants'))).toEqual(['delete grants'])
  })

  it('no login writes hires, charges, positions, limits, ratings or events directly', () => {
    const byHand = groups.flatMap((group) => writing(group))
    const harmless = ['update hires.budget_number', 'update vaults.settled_at', 'delete events']
    expect(
      byHand.filter(
        (right) =>
          / (hires|charges|positions|vaults|vault_yield_days|vault_generations|ratings|events|agents|hire_payments|payers)\b/.test(
            right,
          ) && !harmless.includes(right),
      ),
      // Rows are locked before they are deleted, which needs the right to update a column.
    ).toEqual(['update events.recorded_at'])
  })

  it('money alone has transactions signed; others touch neither vault nor payments', () => {
    for (const group of others('money'))
      expect(mayOf(group).join('\n')).not.toMatch(/cosign_|record_(stack|claim|withdrawal|payment_intent)/)
    // The Workers that count an agent's charges see neither amounts nor wallets.
    const counted = ['select charges.id', 'select charges.agent_id', 'select charges.status']
    expect(reading('decide').filter((right) => right.includes(' charges'))).toEqual(counted)
    for (const group of others('money', 'settlement'))
      expect(
        mayOf(group)
          // Jobs show the escrows of stray fundings.
          .filter((right) => !counted.includes(right) && !/^select payment_intent_jobs\./.test(right))
          .join('\n'),
      ).not.toMatch(
        / (positions|vaults|vault_\w+|payment_\w+|charges|budget_accounts)\b|vault_intent|settle_payments/,
      )
  })

  it('read changes nothing, and reads what anybody may see', () => {
    expect(writing('read')).toEqual([])
    expect(reading('read').join('\n')).not.toMatch(/webhook|contact|signature|body_hash|pauses|wallets\./)
    expect(mayOf('read').filter((right) => right.startsWith('execute '))).toEqual([
      'execute public.layer_names',
      'execute public.text_words',
      'execute public.word_bloom',
    ])
  })
})

describe('nobody but the owner', () => {
  const refused = async (role: string, statement: string) => {
    await client.query(`set session authorization ${role}`)
    const code = await client.query(statement).then(
      () => 'done',
      (error: pg.DatabaseError) => error.code,
    )
    await client.query('reset session authorization')
    return code
  }

  it.each([
    'create table public.mine (a integer)',
    `create function ${API_SCHEMA}.mine() returns integer language sql as 'select 1'`,
    'create schema mine',
    'create temporary table mine (a integer)',
    'alter table hires add column mine text',
    'alter table hires disable trigger all',
    'truncate events',
    'create index on hires (id)',
    'create role mine',
    'alter role agentcred_jobs_b nologin',
    'alter table hires owner to agentcred_decide',
    `drop function ${API_SCHEMA}.hire_agent`,
    'set role agentcred_jobs',
    'select rolpassword from pg_authid',
  ])('may %s', async (statement) => {
    for (const group of groups.filter((one) => one !== 'jobs'))
      expect(await refused(loginOf(group, 'a'), statement), `${group}: ${statement}`).toMatch(
        /^(42501|0LP01)$/,
      )
  })

  it('PUBLIC has no right in our schemas, and makes no temporary object', async () => {
    await client.query('create role nobody_at_all')
    expect(await tryAll(client, 'nobody_at_all')).toEqual(new Set())
    await client.query('drop role nobody_at_all')
    const { rows } = await client.query(`
      select has_database_privilege('public', current_database(), 'temporary') as temporary,
        array(select nspname::text from pg_namespace where nspname !~ '^(pg_|information_schema)'
          and (has_schema_privilege('public', oid, 'usage') or has_schema_privilege('public', oid, 'create'))) as schemas`)
    expect(rows).toEqual([{ temporary: false, schemas: [] }])
  })

  it('a function that is made later is nobody’s to call', async () => {
    await client.query("create function later() returns integer language sql as 'select 1'")
    for (const group of groups) expect(await refused(loginOf(group, 'a'), 'select later()')).toBe('42501')
    await client.query('drop function later()')
  })
})

it('a repeated migration revokes rights given by hand, and restores removed ones', async () => {
  await client.query(`
    create role agentcred_gone nologin;
    grant select on hires to public; grant execute on all functions in schema ${API_SCHEMA} to public;
    grant usage on schema public to public; grant temporary on database "${new URL(url).pathname.slice(1)}" to public;
    grant select (secret), update on endpoints to agentcred_probes; grant delete on hires to agentcred_probes_b;
    grant select on wallets to agentcred_gone;
    revoke select on agents from agentcred_read; revoke execute on function ${API_SCHEMA}.lease_host from agentcred_probes`)
  await migrate(url)
  for (const group of groups) expect(await tryAll(client, loginOf(group, 'b'))).toEqual(tried.get(group))
  expect(await tryAll(client, 'agentcred_gone')).toEqual(new Set())
  await client.query('drop role agentcred_gone')
})

it('Workers of a running release keep their rights until a later one runs', async () => {
  const owner = await openPostgres(url)
  const release = (version: string) => ({ version, apiSchema: API_SCHEMA, sources: 's' })
  const grantedTo = async (group: string) => [...(await tryAll(client, loginOf(group as Group, 'a')))]
  const FORMER = { auth: 'update wallets.session_generation', read: 'select agents.webhook_url' }
  const expectFormer = async (isThere: boolean) => {
    for (const [group, right] of Object.entries(FORMER))
      expect((await grantedTo(group)).includes(right), right).toBe(isThere)
  }
  await recordRelease(owner, release('1.0.0'), new Date())
  await applyMigrations(owner)
  await expectFormer(true)
  await recordRelease(owner, release('1.0.1'), new Date())
  await applyMigrations(owner)
  await expectFormer(false)
  for (const group of groups) expect(await grantedTo(group)).toEqual(mayOf(group))
  await applyRights(owner, release('1.0.0'))
  await expectFormer(true)
  await applyMigrations(owner)
  await owner.close()
})

it('groups can’t log in, and none of our roles has more rights than a login', async () => {
  const { rows } = await client.query(`
    select rolname, rolcanlogin from pg_roles where rolname like 'agentcred\\_%'
      and not (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication) order by rolname`)
  expect(rows).toEqual(
    [
      ...groups.map((group) => ({ rolname: roleOf(group), rolcanlogin: false })),
      ...logins.map((login) => ({ rolname: login, rolcanlogin: true })),
    ].toSorted((one, other) => (one.rolname < other.rolname ? -1 : 1)),
  )
})
