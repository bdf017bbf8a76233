import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { SCRIPTS, type Script } from '../../lib/cli/scripts.ts'
import { createDatabase } from '../support/database.ts'
import { keyFile, temporaryFolder } from '../support/key-files.ts'
import { CLOSED_PORT, runScript } from '../support/process.ts'

// Every wrong command line, each in a process of its own. One of each script is in npm test.

async function refusalOf(name: string, args: string[], env: Record<string, string> = {}) {
  const script = runScript(name, args, env)
  return { code: await script.ended, output: script.output() }
}

type Start = [args: string[], code: number, output: RegExp, env?: Record<string, string>]

const NODE = `http://127.0.0.1:${CLOSED_PORT}`
const ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
const TIME = '2026-11-23T10:00:00Z'
/** How scripts that open a deployment stop: DEPLOYMENT_DIR is set, or they would make a folder. */
const STAGE: Start = [['--stage', 'none'], 2, /--stage and DEPLOYMENT_DIR both name a deployment/]
const inStage = (...words: string[]): Start => [[...words, ...STAGE[0]], STAGE[1], STAGE[2]]

/**
 * Starts of each script, with every option. Each ends before its first effect: nothing listens at the
 * addresses, and the environment has no tokens and no deployment.
 * @param key a file with a secret key; `address` is its public key
 */
const startsOf = (key: string, address: string): Record<keyof typeof SCRIPTS, Start[]> => ({
  dev: [[['--fresh', '--example', '--verbose', '--json'], 1, /--example needs the embedded database/]],
  demo: [[[`${NODE}/v1`, NODE], 1, /^demo stopped: no platform answers at .*: start it with npm run dev$/m]],
  receiver: [[['--keys', NODE, '--wallet', address, '--port', '0', '--any-time'], 1, /gave no keys/]],
  check: [[['types'], 2, /a value has no option before it/]],
  generate: [[['opnapi'], 2, /there is no generator opnapi\. Did you mean openapi\?/]],
  package: [[['client'], 2, /a value has no option before it/]],
  release: [[['0.0.1', '--plan'], 1, /the version must be later than/]],
  soak: [[['soon'], 2, /"soon" is not a number of minutes/]],
  nightly: [[['bnch'], 2, /there is no part bnch\. Did you mean bench\?/]],
  bench: [[['nope'], 2, /no part nope; there are agents, login/]],
  'check:generators': [[['--all'], 2, /Unknown option --all/]],
  screenshots: [[['--readme'], 1, /AgentCred can't start: /]],
  migrate: [[[], 1, /The migrations could not be applied: .*ECONNREFUSED/]],
  setup: [
    [
      [
        ...['--plan', '--name', 'a', '--domain', 'h.test', '--topology', 'routes', '--solana', 'devnet'],
        ...['--live', 'off', '--region', 'r', '--neon-project', 'p', '--var', 'FEE_STEP=1', '--timeout', '1'],
        '--these-secrets',
      ],
      1,
      /Set CLOUDFLARE_API_TOKEN/,
    ],
    [['--adopt'], 1, /Set CLOUDFLARE_API_TOKEN/],
    STAGE,
  ],
  upgrade: [
    [['--plan', '--by-percentage', '--timeout', '1'], 1, /there is no deployment in/],
    [['--rollback'], 1, /there is no deployment in/],
    STAGE,
  ],
  destroy: [
    [
      ['--plan', '--yes', 'a', '--abandon', '--timeout', '1'],
      0,
      /There is no deployment in .*: nothing to remove/,
    ],
  ],
  queues: [STAGE],
  rotate: [
    [['session', '--plan', '--at-once'], 1, /there is no deployment in/],
    [['database', '--stop'], 1, /there is no deployment in/],
    inStage('session'),
  ],
  deploy: [
    [['--dry-run', 'root'], 0, /^root +\d+\.\d KB gzipped$/m],
    [['--dry-run', 'root', 'rot'], 2, /there is no Worker rot\. Did you mean root\?/],
    STAGE,
  ],
  invites: [
    [['issue', '--count', '1', '--tier', 'early', '--expires', '1d'], 1, /DATABASE_URL/],
    inStage('list'),
  ],
  jobs: [
    [['extend', '--until', '2026-11-23T18:00Z'], 1, /not within 30 days/],
    [['publishable', '--generation', '1'], 1, /DATABASE_URL/],
    [['leaked', '--generation', '1'], 1, /DATABASE_URL/],
    [['resume', '--generation', '1', '--rpc', NODE], 1, /DATABASE_URL/],
    inStage('delete-texts', crypto.randomUUID()),
  ],
  vault: [
    [['pause', '--generation', '1', '--reason', 'a'], 1, /DATABASE_URL/],
    [['announce', '--position', address], 1, /DATABASE_URL/],
    inStage('status'),
  ],
  payments: [
    [['settle', '--transaction', ID, '--rpc', NODE, '--assume-expired'], 1, /DATABASE_URL/],
    [['paid', '--transaction', ID, '--charges', ID], 1, /DATABASE_URL/],
    [['release', '--hire', ID], 1, /DATABASE_URL/],
    inStage('held'),
  ],
  reconcile: [
    [['--since', TIME, '--rpc', NODE, '--plan'], 1, /^reconcile stopped: VAULT_AUTHORITY_ADDRESSES must be/m],
    inStage('--since', TIME),
  ],
  backup: [
    [
      ['--out', '/nowhere/a.age', '--recipient', 'age1'],
      1,
      /there is no deployment in/,
      { DATABASE_URL: '' },
    ],
  ],
  restore: [
    [
      ['/nowhere.age', '--into-database-url', '--identity', key, '--since', TIME],
      1,
      /There is no file \/nowhere\.age/,
    ],
  ],
  usage: [[['--project', 'p'], 1, /Set NEON_API_KEY/]],
  devnet: [
    [
      [
        ...['--rpc', NODE, '--treasury', '1', '--authority', key, '--mint', key, '--recovery', address],
        ...['--payments', key, '--fee-payer', key, '--keys', '/nowhere/keys', '--env', '/nowhere/env'],
        ...['--payments-recovery', address],
      ],
      1,
      /did not answer getGenesisHash/,
    ],
  ],
  exit: [
    [
      [
        ...['--rpc', NODE, '--mint', address, '--owner', key, '--recovery', key, '--generation', '1'],
        ...['--position', address, '--compute-unit-price', '1', '--dry-run'],
      ],
      1,
      /^exit stopped: /m,
    ],
    [
      ['--jobs', '--rpc', NODE, '--mint', address, '--owner', key, '--recovery', key],
      1,
      /^exit stopped: .*did not answer/m,
    ],
  ],
})

describe('every script of package.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-scripts-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const { publicKey, secretKey } = Keypair.generate()
  const key = join(folder, 'key.json')
  writeFileSync(key, JSON.stringify([...secretKey]))
  const all = Object.entries(startsOf(key, publicKey.toBase58())) as [keyof typeof SCRIPTS, Start[]][]
  const envOf = (name: string) => ({
    // Of its own, since a script locks it.
    ...{ DEPLOYMENT_DIR: join(folder, name), DATA_DIR: join(folder, `${name}-data`) },
    ...{ CLOUDFLARE_API_TOKEN: '', NEON_API_KEY: '', SOLANA_RPC_URL: '', WEBHOOK_SECRETS: '' },
    DATABASE_URL: `postgresql://a@127.0.0.1:${CLOSED_PORT}/a`,
  })

  it.concurrent.each(all)('%s starts with each option, and prints its usage', async (name, starts) => {
    const env = envOf(name)
    const { usage, options = {} }: Script = SCRIPTS[name]
    for (const flag of ['--help', '-h']) {
      const script = runScript(name, [flag], env)
      let stdout = ''
      script.child.stdout?.on('data', (data) => {
        stdout += data
      })
      expect([await script.ended, stdout], flag).toEqual([0, expect.stringContaining(usage)])
      for (const option of Object.keys(options)) expect(stdout).toContain(`\n  --${option}`)
    }
    const unknown: Start = [
      ['--hepl'],
      2,
      /^\S+ stopped: Unknown option --hepl\. Did you mean --help\?\n\nnpm run /,
    ]
    for (const [args, code, output, more] of [unknown, ...starts]) {
      const ended = await refusalOf(name, args, { ...env, ...more })
      expect(ended, args.join(' ')).toEqual({ code, output: expect.stringMatching(output) })
      expect(ended.output).not.toContain(base58.encode(secretKey))
    }
    const used = starts.flatMap(([args]) => args)
    expect(used).toEqual(expect.arrayContaining(Object.keys(options).map((option) => `--${option}`)))
  })
})

describe('npm run invites', () => {
  it.each([
    [[]],
    [['revoke']],
    [['issue', '5']],
    [['issue', '--count', '0']],
    [['issue', '--count', '10001']],
    [['issue', '--tier', 'gold']],
    [['issue', '--expires', 'soon']],
    [['issue', '--expires', '0d']],
    [['list', '--count', '1']],
    [['list', '--nope']],
  ])('explains %j', async (args) => {
    const { code, output } = await refusalOf('invites', args)
    expect(code).toBe(2)
    expect(output).toContain('npm run invites -- issue')
  })
})

describe('npm run jobs', () => {
  it.each([
    [[]],
    [['extend']],
    [['extend', '--until', 'tomorrow']],
    [['extend', '--until', '2026-11-23']],
    [['delete-texts']],
    [['delete-texts', 'all']],
  ])('explains %j', async (args) => {
    const { code, output } = await refusalOf('jobs', args)
    expect(code).toBe(2)
    expect(output).toContain('npm run jobs -- extend')
  })
})

describe('npm run nightly', () => {
  it.each([[['nope']], [['engine', '--all']]])('explains %j', async (args) => {
    const { code, output } = await refusalOf('nightly', args)
    expect(code).toBe(2)
    expect(output).toContain('npm run nightly [-- times|engine|')
  })
})

describe('npm run receiver', () => {
  const nowhere = 'http://127.0.0.1:1/v1/events/keys'
  it.each([
    [[]],
    [['--keys', 'events/keys']],
    [['--keys', 'file:///etc/passwd']],
    [['--keys', nowhere, '--port', '65536']],
    [['--keys', nowhere, '--nope']],
    [[nowhere]],
  ])('explains %j', async (args) => {
    const { code, output } = await refusalOf('receiver', args)
    expect(code).toBe(2)
    expect(output).toContain('npm run receiver -- --keys')
  })
})

describe('npm run rotate', () => {
  it.each([[[]], [['sessions']], [['session', 'cards']], [['vault', '--at-once']], [['--nope']]])(
    'explains %j',
    async (args) => {
      const { code, output } = await refusalOf('rotate', args)
      expect(code).toBe(2)
      expect(output).toContain('npm run rotate -- <what>')
    },
  )
})

describe('npm run destroy', () => {
  it.each([[['agentcred']], [['--yes']], [['--force']], [['--plan', '--timeout', '0']], [[]]])(
    'explains %j',
    async (args) => {
      const { code, output } = await refusalOf('destroy', args, { DEPLOYMENT_DIR: temporaryFolder() })
      expect(code).toBe(2)
      expect(output).toContain('npm run destroy -- [options]')
    },
  )

  it('has nothing to do where there is no deployment', async () => {
    const env = { DEPLOYMENT_DIR: temporaryFolder() }
    const { code, output } = await refusalOf('destroy', ['--yes', 'agentcred'], env)
    expect([code, output]).toEqual([
      0,
      `There is no deployment in ${env.DEPLOYMENT_DIR}: nothing to remove.\n`,
    ])
  })
})

describe('npm run backup, restore and usage', () => {
  it.each([
    ['backup', ['file.age']],
    ['backup', ['--nope']],
    ['restore', []],
    ['restore', ['one.age', 'two.age']],
    ['restore', ['one.age', '--since', 'yesterday']],
    ['restore', ['one.age', '--identity', '/nowhere/key.txt']],
    ['usage', ['p-1']],
  ])('npm run %s explains %j', async (name, args) => {
    const { code, output } = await refusalOf(name, args)
    expect(code).toBe(2)
    expect(output).toContain(`npm run ${name} [-- `.replace('restore [-- ', 'restore -- <file>'))
  })

  it('says what is missing where there is no deployment, no key and no file', async () => {
    const env = { DEPLOYMENT_DIR: temporaryFolder(), DATABASE_URL: '', NEON_API_KEY: '' }
    expect(await refusalOf('backup', [], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /secrets\.json is missing: put it back, or name a public key .* with --recipient/,
      ),
    })
    expect((await refusalOf('restore', ['/nowhere.age'], env)).output).toContain(
      'There is no file /nowhere.age',
    )
    expect((await refusalOf('restore', [import.meta.filename], env)).output).toMatch(
      /There is no BACKUP_KEY in /,
    )
    expect((await refusalOf('usage', [], env)).output).toContain('run npm run setup to make one')
    expect((await refusalOf('usage', ['--project', 'p-1'], env)).output).toContain('Set NEON_API_KEY')
  })
})

describe('npm run reconcile', () => {
  it.each([
    [[]],
    [['--since', '2026-11-23T10:00:00Z']],
    [['--since', '2026-11-23', '--rpc', 'http://127.0.0.1:1']],
    [['--since', '2026-11-23T10:00:00Z', '--rpc', 'ftp://127.0.0.1']],
    [['plan']],
  ])('explains %j', async (args) => {
    const { code, output } = await refusalOf('reconcile', args)
    expect(code).toBe(2)
    expect(output).toContain('npm run reconcile -- --since')
  })

  it('has nothing to record where the deployment has no Solana', async () => {
    const DEPLOYMENT_DIR = temporaryFolder()
    const deployment = {
      ...{ name: 'agentcred', accountId: 'a', topology: 'gateway', host: 'h.test', publisher: 'h.test' },
      ...{ solana: 'none', kv: {}, rateLimits: 1, clockLocation: '', vars: {} },
    }
    writeFileSync(join(DEPLOYMENT_DIR, 'deployment.json'), JSON.stringify(deployment))
    const database = await createDatabase()
    onTestFinished(() => database.close())
    const env = { DEPLOYMENT_DIR, DATABASE_URL: database.url, SOLANA_RPC_URL: '' }
    const { code, output } = await refusalOf('reconcile', ['--since', '2026-11-23T10:00:00Z'], env)
    expect([code, output]).toEqual([0, expect.stringMatching(/^Without Solana there is nothing to record/)])
    expect(output).toContain('npm run rotate -- session --at-once')
    expect(output).not.toContain('held')
  })

  it('takes the node’s URL from the environment when it contains a key', async () => {
    const env = { SOLANA_RPC_URL: 'http://127.0.0.1:1/key' }
    const { code, output } = await refusalOf('reconcile', ['--since', '2026-11-23T10:00:00Z'], env)
    expect(code).toBe(1)
    expect(output).not.toContain('/key')
  })
})

describe('npm run exit', () => {
  it('names the argument that is missing or invalid, without its value', async () => {
    const [owner, recovery] = [Keypair.generate(), Keypair.generate()]
    const recoverySecret = base58.encode(recovery.secretKey)
    const valid = {
      rpc: `http://127.0.0.1:${CLOSED_PORT}`,
      mint: Keypair.generate().publicKey.toBase58(),
      owner: keyFile(owner),
      recovery: keyFile(recovery),
    }
    const argumentsWith = (changes: Record<string, string | undefined>) =>
      Object.entries({ ...valid, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, value],
      )
    const broken = join(temporaryFolder(), 'broken.json')
    writeFileSync(broken, JSON.stringify([...owner.secretKey.subarray(0, 63)]))
    const mixed = keyFile({
      secretKey: Uint8Array.of(...owner.secretKey.subarray(0, 32), ...recovery.secretKey.subarray(32)),
    })
    const cases: [string[], string][] = [
      [argumentsWith({ rpc: undefined }), '--rpc is missing'],
      [argumentsWith({ recovery: undefined }), '--recovery is missing'],
      [argumentsWith({ owner: '/nowhere/key.json' }), "--owner: the file can't be read (ENOENT)"],
      [argumentsWith({ owner: broken }), '--owner: the file has no secret key'],
      [argumentsWith({ owner: mixed }), '--owner: this is not a key pair'],
      [argumentsWith({ owner: base58.encode(owner.secretKey) }), '--owner must be a file'],
      [argumentsWith({ recovery: `${recoverySecret}0` }), "--recovery: the file can't be read"],
      [argumentsWith({ mint: recoverySecret }), '--mint must be an address'],
      [argumentsWith({ rpc: 'localhost:8899' }), '--rpc must be an http or https URL'],
      [argumentsWith({ generation: 'one' }), '--generation must be a whole number'],
      [[...argumentsWith({}), recoverySecret], 'a value has no option before it'],
    ]
    for (const [args, message] of cases) {
      const { code, output } = await refusalOf('exit', args)
      expect({ code, output }, message).toMatchObject({ code: 2, output: expect.stringContaining(message) })
      for (const { secretKey } of [owner, recovery]) {
        expect(output).not.toContain(base58.encode(secretKey))
        expect(output).not.toContain([...secretKey.subarray(0, 8)].join(','))
      }
    }
  })
})
