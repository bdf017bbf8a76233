import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { secretNameOf } from '../../../lib/cli/deploy/database-urls.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { environmentOf, folderOf } from '../../../lib/cli/deploy/stage.ts'
import { filesIn, isNewer, noteLocal, writeFiles } from '../../../lib/cli/state/files.ts'
import {
  BROUGHT,
  changedSecrets,
  differingFrom,
  lastChange,
  notedIn,
  printsOf,
} from '../../../lib/cli/state/prints.ts'
import { requirePersistentFolder } from '../../../lib/cli/state/runner.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'
import { temporaryFolder } from '../../support/key-files.ts'
import { deploymentToRotate } from '../../support/rotation.ts'

const ROOT = join(import.meta.dirname, '../../..')
const empty = () => openDeployment({ DEPLOYMENT_DIR: temporaryFolder() })

describe('fingerprints', () => {
  const SESSION_SIGNING_KEY = 'a'.repeat(43)

  it('cover all secrets except the operator’s own, and repeat none', async () => {
    const { secrets } = await deploymentToRotate()
    const prints = printsOf(secrets())
    const required = readWorkers().flatMap(({ group, requiredSecrets }) =>
      requiredSecrets.map((name) => secretNameOf(group, name)),
    )
    expect(Object.keys(prints)).toEqual(
      expect.arrayContaining(required.filter((name) => !BROUGHT.includes(name))),
    )
    for (const name of BROUGHT) expect(prints).not.toHaveProperty(name)
    for (const print of Object.values(prints)) expect(print).toMatch(/^[\da-f]{16}$/)
  })

  it('cover only secrets that nobody can guess, also as hashes in deployed.json', () => {
    // A Worker's hash is over all its secrets: the password in its DATABASE_URL can't be guessed.
    for (const { group, requiredSecrets } of readWorkers())
      if (requiredSecrets.includes('SOLANA_RPC_URL')) expect(requiredSecrets, group).toContain('DATABASE_URL')
  })

  it('of a database’s URL leave out its parameters, which Neon adds to', () => {
    const url = 'postgresql://agentcred_auth_a:password@host/db'
    const of = (DATABASE_URL_AUTH: string) => printsOf({ DATABASE_URL_AUTH })
    expect(of(`${url}?sslmode=require`)).toEqual(of(`${url}?sslmode=require&channel_binding=require`))
    expect(of(url)).not.toEqual(of(url.replace('password', 'other')))
  })

  it('say which secrets are missing or differ, and which command changed them last', () => {
    const first = { at: '2026-11-01T00:00:00.000Z', by: 'npm run setup', machine: 'laptop' }
    const second = { at: '2026-11-02T00:00:00.000Z', by: 'npm run rotate -- session', machine: 'desk' }
    const before = notedIn({}, { SESSION_SIGNING_KEY, CARD_SIGNING_KEY: 'c' }, first)
    const after = notedIn(before, { SESSION_SIGNING_KEY: 'b', CARD_SIGNING_KEY: 'c' }, second)
    expect(after.CARD_SIGNING_KEY).toEqual(before.CARD_SIGNING_KEY)
    expect(differingFrom(after, { SESSION_SIGNING_KEY, CARD_SIGNING_KEY: 'c' })).toEqual([
      'SESSION_SIGNING_KEY',
    ])
    const differing = differingFrom(after, {})
    expect(differing).toEqual(['CARD_SIGNING_KEY', 'SESSION_SIGNING_KEY'])
    expect(lastChange(after, differing)).toMatchObject(second)
    expect(lastChange(after, ['CARD_SIGNING_KEY'])).toMatchObject(first)
    expect(changedSecrets({ A: '1', B: '2' }, { A: '1', B: '3', C: '4' })).toEqual(['B', 'C'])
  })
})

describe('files', () => {
  it('come back on another clone with its own paths and in their order, and others go', () => {
    const folder = empty()
    const running = { z: { main: join(ROOT, 'functions/z.ts'), vars: { A: `${ROOT}x`, B: '/x' } }, a: ROOT }
    folder.writeJson('running.json', running)
    folder.writeJson('secrets.json', { A: 'secret' })
    const files = JSON.parse(JSON.stringify(filesIn(folder)))
    expect(Object.keys(files)).toEqual(['running.json'])
    expect(JSON.stringify(files)).not.toContain(`${ROOT}/`)
    const other = empty()
    other.writeJson('upgrade.json', {})
    writeFiles(other, files)
    expect(JSON.stringify(other.read('running.json'))).toBe(JSON.stringify(running))
    expect(other.read('upgrade.json')).toBeUndefined()
  })

  it('are older than a state of a later revision, or of the same one at another time', () => {
    const folder = empty()
    const at = '2026-11-01T00:00:00.000Z'
    expect(isNewer({ revision: 1, at }, folder)).toBe(true)
    noteLocal(folder, { revision: 2, at })
    const states = [
      { revision: 1, at: '' },
      { revision: 2, at },
      { revision: 2, at: '' },
      { revision: 3, at },
    ]
    expect(states.map((state) => isNewer(state, folder))).toEqual([false, false, true, true])
  })
})

describe('--stage', () => {
  it('names the folder and the deployment; DEPLOYMENT_DIR or .deployment by default', () => {
    const of = (env: NodeJS.ProcessEnv, stage?: string) => {
      const { folder, defaultName } = folderOf(env, { stage })
      return [folder, defaultName]
    }
    expect(of({}, 'staging')).toEqual([join(ROOT, '.deployment-staging'), 'agentcred-staging'])
    expect(of({})).toEqual([join(ROOT, '.deployment'), 'agentcred'])
    expect(of({ DEPLOYMENT_DIR: '/tmp/x' })).toEqual(['/tmp/x', 'agentcred'])
    expect(() => of({ DEPLOYMENT_DIR: '/tmp/x' }, 'staging')).toThrow(/both name a deployment/)
    for (const name of ['', 'A', '1', '../x', 'a'.repeat(22)])
      expect(() => of({}, name)).toThrow(/--stage must be up to 21 lowercase letters/)
  })

  it('gives a script the stage’s database, or refuses; without it nothing changes', () => {
    const env = { DATABASE_URL: 'postgres://other.test/x' }
    expect(environmentOf(env, {})).toBe(env)
    expect(() => environmentOf({}, { stage: 'nowhere-at-all' })).toThrow(/there is no deployment in/)
  })
})

it('a runner of CI makes no keys', () => {
  const by = 'npm run upgrade'
  for (const CI of [undefined, '', 'false'])
    expect(() => requirePersistentFolder(CI === undefined ? {} : { CI }, ['A'], by)).not.toThrow()
  expect(() => requirePersistentFolder({ CI: 'true' }, ['A', 'B'], by)).toThrow(
    /^This would make A, B, but a CI runner discards secrets.json: run npm run upgrade once on a machine/,
  )
})
