import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { databaseUrlOf } from '../../lib/cli/deploy/database-urls.ts'
import type { State } from '../../lib/cli/state/table.ts'
import { rowsOf } from '../../lib/migrations/migrator.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { groups, loginOf, slots } from '../../schema/rights.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { type Machine, machineOf } from '../support/cloud/machines.ts'
import { SESSIONS, SESSIONS_NEXT } from '../support/cloud/releases.ts'
import { deployedSecrets } from '../support/cloud/scripts.ts'
import { beginWith, type Deployed, deployFirst, reroute } from '../support/cloud/upgrades.ts'

let deployed: Deployed | undefined
let url = ''
let cloud: Cloud
/** The machine that has made the deployment. */
let first: Machine
beforeEach(async () => {
  cloud = await startCloud()
  reroute(() => cloud)
  if (deployed) {
    // Its secrets name the database.
    cloud.neon.url = url
    await beginWith(cloud, deployed)
  } else {
    url = cloud.neon.url
    deployed = await deployFirst(cloud, SESSIONS)
  }
  first = machineOf(cloud, SESSIONS, cloud.folder)
  cloud.calls.length = 0
})
afterEach(() => vi.unstubAllGlobals())

const SECRETS = ['secrets.json']
const STATE = ['deployment.json', 'setup.json', 'deployed.json', 'running.json', 'state.json']

/** The calls that change something at Cloudflare or Neon. */
const changes = () =>
  cloud.calls.filter(
    ({ name }) => /^(cloudflare|neon) (?!GET)/.test(name) && !name.includes('/script-settings'),
  )

async function query(sql: string, url = cloud.neon.url): Promise<(string | null)[][]> {
  const database = await openPostgres(url)
  try {
    return await rowsOf(database, sql)
  } finally {
    await database.close()
  }
}
/** The state's row, and how it comes back from a backup. */
const row = async () =>
  JSON.parse((await query('select row_to_json(state) from drizzle.state'))[0]?.[0] ?? '') as State
async function putBack(state: State): Promise<void> {
  await query('delete from drizzle.state')
  await query(
    `insert into drizzle.state select * from json_populate_record(null::drizzle.state, '${JSON.stringify(state)}')`,
  )
}
const inState = async (column: string) => (await query(`select ${column} from drizzle.state`))[0]?.[0]

describe('without the machine that made it', () => {
  it('a new folder with secrets.json adopts a deployment, and has nothing to deploy', async () => {
    const other = first.copy(SECRETS)
    const { said, stopped } = await other.adopt()
    expect(stopped).toBeUndefined()
    expect(said).toMatch(/^same {2}release 1.0.0, which this folder has\nAdopted: agentcred at https:/)
    expect(changes()).toEqual([])
    for (const file of STATE) expect(other.read(file), file).toEqual(first.read(file))
    const again = await other.setUp()
    expect(again.stopped).toBeUndefined()
    expect(again.said).toContain('kept  agentcred-auth')
    expect(again.said).not.toMatch(/^(made|deploy) /m)
    expect(changes()).toEqual([])
    expect((await first.setUp()).stopped).toBeUndefined()
  })

  it('goes on after a rotation, where that has stopped', async () => {
    expect((await first.rotate('session')).stopped).toBeUndefined()
    const other = first.copy(SECRETS)
    expect((await other.adopt()).stopped).toBeUndefined()
    expect((await other.rotate('session')).said).toMatch(/^left {3}the older key/)
    expect(other.read('rotate.json')).toEqual(first.read('rotate.json'))
  })

  it('brings the next release, and goes back', async () => {
    const other = first.copy(SECRETS, SESSIONS_NEXT)
    const adopted = await other.adopt()
    expect(adopted.stopped).toBeUndefined()
    expect(adopted.said).toContain('npm run upgrade deploys this folder’s code')
    expect((await other.upgrade()).said).toContain('Release 1.1.0 runs.')
    const third = other.copy(SECRETS)
    expect((await third.adopt()).stopped).toBeUndefined()
    expect((await third.upgrade({ isRollback: true })).said).toContain('Release 1.0.0 runs again.')
    // The first one has heard nothing of all that.
    const last = await first.setUp()
    expect(last.said).toMatch(
      new RegExp(
        `^take {2}the files of the deployment, which npm run upgrade -- --rollback changed on ${hostname()} at 2`,
      ),
    )
    expect(last.stopped).toBeUndefined()
    expect(first.read('upgrade.json')).toBeUndefined()
  })

  it('says what is gone, and which code to check out', async () => {
    await query(`update drizzle.releases set commit = '${'a'.repeat(40)}'`)
    cloud.cloudflare.scripts.delete('agentcred-mcp')
    cloud.cloudflare.namespaces.clear()
    const other = first.copy(SECRETS, SESSIONS_NEXT)
    const { said, stopped } = await other.adopt()
    expect(stopped).toBeUndefined()
    expect(said).toContain('gone  the Worker agentcred-mcp: run npm run setup')
    expect(said).toMatch(/gone {2}the KV namespace \w+: run npm run setup/)
    expect(said).toContain(`git checkout ${'a'.repeat(40)} && npm ci for setup, rotate and deploy`)
    cloud.neon.projects.length = 0
    expect((await first.copy(SECRETS).adopt()).said).toMatch(/gone {2}the Neon project calm-sea-1/)
    expect(changes()).toEqual([])
  })

  it('needs secrets.json, a database with a state, and the account’s token', async () => {
    const empty = machineOf(cloud, SESSIONS)
    expect((await empty.adopt()).stopped).toMatch(/secrets.json is missing: copy the deployment’s/)
    writeFileSync(join(empty.path, 'secrets.json'), '{}')
    expect((await empty.adopt()).stopped).toMatch(/has no DATABASE_URL: copy the whole file/)
    writeFileSync(join(empty.path, 'secrets.json'), '{"DATABASE_URL":"postgres://a:b@127.0.0.1:1/c"}')
    expect((await empty.adopt()).stopped).toMatch(
      /accepts no connections: .*if its owner’s password was reset/,
    )
    const other = first.copy(SECRETS)
    Object.assign(cloud.cloudflare.accounts[0] ?? {}, { id: 'f'.repeat(32) })
    expect((await other.adopt()).stopped).toMatch(
      /^The token has no access to the deployment’s Cloudflare account/,
    )
    await query('delete from drizzle.state')
    expect((await other.adopt()).stopped).toMatch(/^The database has no state of the deployment/)
    expect(other.read('deployment.json')).toBeUndefined()
  })

  it('a folder of another deployment is left as it is', async () => {
    const other = first.copy()
    const deployment = { ...(other.read('deployment.json') as object), name: 'acme' }
    writeFileSync(join(other.path, 'deployment.json'), JSON.stringify(deployment))
    expect((await other.adopt()).stopped).toMatch(/has the deployment acme, .* add --stage <name>/)
    expect(other.read('deployment.json')).toEqual(deployment)
  })
})

describe('with a machine that has an older copy', () => {
  it('stops each command before it deploys older secrets, and takes the newer ones', async () => {
    const other = first.copy()
    const before = first.secrets()
    expect((await first.rotate('session')).stopped).toBeUndefined()
    const newer = first.secrets()
    expect(newer.SESSION_SIGNING_KEY).not.toBe(before.SESSION_SIGNING_KEY)
    cloud.calls.length = 0
    const sentence = new RegExp(
      `^SESSION_JWKS, SESSION_SIGNING_KEY of .*secrets.json differ from the deployment, which npm run rotate -- session changed on ${hostname()} at [-\\dT:.]+Z: copy secrets.json of that machine`,
    )
    const next = other.copy(undefined, SESSIONS_NEXT)
    const stopped = [
      ...[await other.setUp(), await next.upgrade()],
      // A second time, too.
      ...[await other.setUp(), await other.rotate('session', { isAtOnce: true })],
      ...[await other.rotate('database', { isAtOnce: true }), await other.copy(SECRETS).adopt()],
    ]
    for (const { stopped: why } of stopped) expect(why).toMatch(sentence)
    expect(changes()).toEqual([])
    expect(deployedSecrets(cloud, 'auth').SESSION_SIGNING_KEY).toBe(newer.SESSION_SIGNING_KEY)
    writeFileSync(join(other.path, 'secrets.json'), JSON.stringify(newer))
    const { said, stopped: why } = await other.rotate('session')
    expect([why, said]).toEqual([
      undefined,
      expect.stringMatching(/^take {2}the files .*\nleft {3}the older/),
    ])
    expect(changes()).toEqual([])
  })

  it('deploys older secrets on demand, where the newer ones are lost', async () => {
    const other = first.copy()
    const before = other.secrets()
    for (const what of ['session', 'database'] as const)
      expect((await first.rotate(what, { isAtOnce: true })).stopped).toBeUndefined()
    expect((await other.setUp()).stopped).toContain('npm run setup -- --these-secrets')
    expect((await other.setUp({ 'these-secrets': true })).stopped).toBeUndefined()
    expect(deployedSecrets(cloud, 'auth').SESSION_SIGNING_KEY).toBe(before.SESSION_SIGNING_KEY)
    expect(deployedSecrets(cloud, 'auth').DATABASE_URL).toBe(before.DATABASE_URL_AUTH)
    expect((await first.setUp()).stopped).toMatch(/which npm run setup changed on/)
  })

  it('plans nothing by older files', async () => {
    const other = first.copy()
    expect((await first.setUp({ var: ['CODE=7'] })).stopped).toBeUndefined()
    const sentence =
      /are older than the deployment, which npm run setup changed on .*npm run setup -- --adopt/
    for (const { stopped } of [
      await other.setUp({ plan: true }),
      await other.rotate('session', { isPlan: true }),
      await other.copy(undefined, SESSIONS_NEXT).upgrade({ isPlan: true }),
    ])
      expect(stopped).toMatch(sentence)
    expect((await other.adopt()).stopped).toBeUndefined()
    expect((await other.setUp({ plan: true })).stopped).toBeUndefined()
    expect(other.read('deployment.json')).toMatchObject({ vars: { CODE: '7' } })
  })

  it('keeps what another machine has set, and adds its own', async () => {
    const other = first.copy()
    expect((await first.setUp({ var: ['CODE=7'] })).stopped).toBeUndefined()
    expect((await other.setUp({ live: 'off' })).stopped).toBeUndefined()
    expect(other.read('deployment.json')).toMatchObject({ vars: { CODE: '7' }, live: 'off' })
  })
})

describe('the state that a command records', () => {
  it('is there after a failure, and of the same content only once', async () => {
    const revision = Number(await inState('revision'))
    expect((await first.setUp()).stopped).toBeUndefined()
    expect(Number(await inState('revision'))).toBe(revision)
    cloud.faults.before = ({ name }) =>
      name.endsWith('/v1/health') ? Response.json({ detail: 'it is ill' }, { status: 400 }) : undefined
    expect((await first.rotate('session')).stopped).toContain('is unhealthy')
    cloud.faults.before = () => undefined
    expect(Number(await inState('revision'))).toBeGreaterThan(revision)
    const other = first.copy(SECRETS)
    expect((await other.adopt()).stopped).toBeUndefined()
    expect(other.read('rotate.json')).toEqual({ session: { key: expect.any(String) } })
    expect((await other.rotate('session')).said).toMatch(/^deploy agentcred-mcp\ndeploy agentcred-agents/)
  })

  it('goes on from the files of a killed run, unless another machine has gone on', async () => {
    const before = await row()
    const other = first.copy()
    const killed = first.copy()
    expect((await killed.rotate('session')).stopped).toBeUndefined()
    // Killed before the new key's name came to the database, and once more.
    await putBack(before)
    writeFileSync(join(killed.path, 'state.json'), JSON.stringify(other.read('state.json')))
    const later = killed.copy()
    expect((await killed.rotate('session')).said).toMatch(/^left {3}the older key/)
    expect((await other.setUp()).stopped).toMatch(/^SESSION_JWKS, SESSION_SIGNING_KEY of/)

    await putBack(before)
    expect((await other.setUp({ var: ['CODE=7'] })).stopped).toBeUndefined()
    expect((await later.rotate('session')).stopped).toMatch(/^SESSION_JWKS, SESSION_SIGNING_KEY of/)
  })

  it('is known again by a run that was killed before it noted what it had written', async () => {
    const older = first.read('state.json')
    expect((await first.rotate('session')).stopped).toBeUndefined()
    writeFileSync(join(first.path, 'state.json'), JSON.stringify(older))
    const { said, stopped } = await first.rotate('session')
    expect([stopped, said]).toEqual([undefined, expect.stringMatching(/^take .*\nleft/)])
  })

  it('is taken as it is here where the database was restored from an earlier time', async () => {
    const before = await row()
    expect((await first.setUp({ var: ['CODE=7'] })).stopped).toBeUndefined()
    await putBack(before)
    const { said, stopped } = await first.setUp()
    expect(stopped).toBeUndefined()
    expect(said).toMatch(/^note {2}the database is older/)
    expect(JSON.parse((await inState('files')) ?? '')['deployment.json'].vars.CODE).toBe('7')
    expect(Number(await inState('revision'))).toBeGreaterThan(before.revision + 1)
  })

  it('comes to a deployment of release 1.0.0 with the next command', async () => {
    for (const work of [
      (machine: Machine) => machine.setUp(),
      (machine: Machine) => machine.rotate('session'),
      (machine: Machine) => machine.copy(undefined, SESSIONS_NEXT).upgrade(),
    ]) {
      await query('drop table drizzle.state')
      rmSync(join(first.path, 'state.json'), { force: true })
      expect((await work(first)).stopped).toBeUndefined()
      expect(await inState('revision')).toMatch(/^[1-9]$/)
    }
  })

  it('has no secret, and no Worker’s login reads it', async () => {
    const [text] = (await query('select state::text from drizzle.state'))[0] ?? []
    const secrets = first.secrets()
    for (const [name, secret] of Object.entries(secrets)) expect(text, name).not.toContain(secret)
    const { secrets: prints } = await row()
    expect(Object.keys(prints)).toContain('SESSION_SIGNING_KEY')
    expect(Object.keys(prints)).not.toContain('DATABASE_URL')
    for (const group of groups) {
      const client = new pg.Client({ connectionString: secrets[databaseUrlOf(group)] })
      await client.connect()
      await expect(client.query('select * from drizzle.state')).rejects.toThrow(/permission denied/)
      await client.end()
    }
    for (const login of groups.flatMap((group) => slots.map((slot) => loginOf(group, slot))))
      expect(
        await query(`select has_schema_privilege('${login}', 'drizzle', 'usage')
          or has_any_column_privilege('${login}', 'drizzle.state', 'select, insert, update')`),
      ).toEqual([['f']])
  })
})

describe('on a runner of CI', () => {
  it('no command makes keys, which would be lost with its files', async () => {
    const runner = first.copy(SECRETS, SESSIONS_NEXT)
    expect((await runner.adopt({ CI: 'true' })).stopped).toBeUndefined()
    const { CARD_SIGNING_KEY: _, ...rest } = runner.secrets()
    const { DATABASE_URL_READ: __, ...fewer } = rest
    for (const [secrets, name] of [
      [rest, 'CARD_SIGNING_KEY'],
      [fewer, 'DATABASE_URL_READ'],
    ] as const) {
      writeFileSync(join(runner.path, 'secrets.json'), JSON.stringify(secrets))
      const { stopped } = await runner.upgrade({}, { CI: 'true' })
      expect(stopped).toMatch(
        new RegExp(
          `^This would make .*${name}.*, but a CI runner discards secrets.json: run npm run upgrade once`,
        ),
      )
    }
    expect((await first.rotate('session', {}, { CI: 'true' })).stopped).toMatch(
      /^This would make SESSION_SIGNING_KEY/,
    )
    expect(changes()).toEqual([])
    writeFileSync(join(runner.path, 'secrets.json'), JSON.stringify(first.secrets()))
    expect((await runner.upgrade({}, { CI: 'true' })).said).toContain('Release 1.1.0 runs.')
  })
})
