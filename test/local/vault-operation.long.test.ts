import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { expect, it, onTestFinished } from 'vitest'
import { recordVault, requireVault } from '../../lib/cli/deploy/vault.ts'
import { createClock } from '../../lib/local/clock.ts'
import { openEmbeddedSolana } from '../../lib/local/solana.ts'
import { openState } from '../../lib/local/state.ts'
import { createDatabase } from '../support/database.ts'
import { runScript } from '../support/process.ts'

const pairs = [Keypair.generate(), Keypair.generate()]
const named = (text: (pair: Keypair) => string, keyVersions: number[]) =>
  keyVersions.map((keyVersion) => `${keyVersion}:${text(pairs[keyVersion - 1] ?? Keypair.generate())}`).join()

/** The vault's and the settlement Worker as wrangler.toml would have them, with these key versions. */
function workersOf(...keyVersions: number[]) {
  const vars = {
    VAULT_MINT: Keypair.generate().publicKey.toBase58(),
    VAULT_AUTHORITY_ADDRESSES: named(({ publicKey }) => publicKey.toBase58(), keyVersions),
    VAULT_RECOVERY_ADDRESSES: named(({ publicKey }) => publicKey.toBase58(), keyVersions),
    VAULT_STACKING: 'on',
    VAULT_YIELD_PER_WALLET: '100000',
    VAULT_YIELD_PER_DAY: '1000000',
    VAULT_MIN_STAKE: '1',
  }
  return ['vault', 'settlement', 'auth'].map((group) => ({ group, vars }))
}

async function openDatabase() {
  const database = await createDatabase()
  onTestFinished(() => database.close())
  const env = (...keyVersions: number[]) => ({
    DATABASE_URL: database.url,
    VAULT_AUTHORITY_KEYS: named(({ secretKey }) => base58.encode(secretKey), keyVersions),
  })
  return { database, env }
}

it('refuses by its number a deployment that drops a key version with positions', async () => {
  const { database, env } = await openDatabase()
  await database.engine.execScript(`
    insert into vaults (owner, settled_at) values ('owner', '2026-01-01');
    insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, escrowed,
      seen_slot) values ('owner', 0, 'a', 1, 1000, 7, 800, '2026-01-01', 1001, 5)`)
  await requireVault(workersOf(1, 2), env(1, 2))
  await expect(requireVault(workersOf(2), env(2))).rejects.toThrow(/lacks key version 1, which still has/)
  await database.engine.execScript(`update positions set status = 'withdrawn'`)
  await requireVault(workersOf(2), env(2))
})

it('rotates vault and settlement together, and never changes a version’s addresses', async () => {
  const { env } = await openDatabase()
  const [first, both] = [workersOf(1), workersOf(1, 2)]
  await requireVault(first, env(1))
  await recordVault(first, env(1))
  for (const alone of ['vault', 'settlement']) {
    const only = (workers: typeof first) => workers.filter(({ group }) => group === alone)
    await requireVault(only(first), env(1))
    await expect(requireVault(only(both), env(1, 2))).rejects.toThrow(
      'key version 2 is new: deploy vault and settlement together',
    )
  }
  await requireVault(both, env(1, 2))
  const [vault] = first
  const other = { VAULT_RECOVERY_ADDRESSES: `1:${Keypair.generate().publicKey.toBase58()}` }
  const changed = first.map(({ group }) => ({ group, vars: { ...vault?.vars, ...other } }))
  await expect(requireVault(changed, env(1))).rejects.toThrow('the addresses of key version 1 differ')
  await requireVault(
    workersOf(1).filter(({ group }) => group === 'auth'),
    {},
  )
})

it('settings without names, or that can not be read, stop a deployment', async () => {
  const { env } = await openDatabase()
  const unnamed = { ...env(1), VAULT_AUTHORITY_KEYS: base58.encode(Keypair.generate().secretKey) }
  await expect(requireVault(workersOf(1), unnamed)).rejects.toThrow(
    'VAULT_AUTHORITY_KEYS must be a list of key versions',
  )
})

const vaultScriptOver =
  (DATABASE_URL: string) =>
  async (...args: string[]) => {
    const script = runScript('vault', args, { DATABASE_URL })
    return { code: await script.ended, output: script.output() }
  }

it('npm run vault stops, resumes and shows the state', async () => {
  const { database } = await openDatabase()
  const vault = vaultScriptOver(database.url)
  expect(await vault('pause', '--generation', '3', '--reason', 'a test')).toMatchObject({ code: 0 })
  expect((await vault('status')).output).toMatch(/key version 3\tpaused since .*: a test\t0 positions/)
  expect(await vault('resume', '--generation', '3')).toMatchObject({ code: 0 })
  expect(await vault('announce', '--generation', '3')).toMatchObject({ code: 0 })
  expect(await vault('resume', '--generation', '3')).toMatchObject({ code: 1 })
  expect(await vault('pause', '--generation', 'x')).toMatchObject({ code: 2 })
})

it('npm run vault exempts one announced position from the breaker, and no other', async () => {
  const { database } = await openDatabase()
  const vault = vaultScriptOver(database.url)
  const [announced = '', other = ''] = pairs.map(({ publicKey }) => publicKey.toBase58())
  await database.engine.execScript(`
    insert into vaults (owner, settled_at) values ('owner', '2026-01-01');
    insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, escrowed,
      seen_slot) values ('owner', 0, '${announced}', 1, 1000, 7, 800, '2026-01-01', 1001, 5),
      ('owner', 1, '${other}', 1, 1000, 7, 800, '2026-01-01', 1001, 5)`)
  expect(await vault('announce', '--position', announced)).toEqual({
    code: 0,
    output: `${announced}: its early withdrawal will not stop new stakes.\n`,
  })
  const query = 'select address, early from positions order by id'
  const [early] = await database.engine.run([{ query, params: [] }])
  expect(early?.rows).toEqual([
    [announced, 'announced'],
    [other, null],
  ])
  const unknown = await vault('announce', '--position', Keypair.generate().publicKey.toBase58())
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('no position has this address') })
  expect(await vault('announce', '--position', 'position 0')).toMatchObject({ code: 2 })
  // The generation as a whole goes on.
  expect((await vault('status')).output).toMatch(/key version 1\topen\t2 positions/)
})

it('keeps keys of version 1 in a state folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-state-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const state = await openState(folder)
  onTestFinished(() => state.release())
  const kept = Object.fromEntries(
    ['authority', 'recovery', 'mint', 'payments'].map((name) => [
      name,
      base58.encode(Keypair.generate().secretKey),
    ]),
  )
  state.write('solana-keys', kept)
  const solana = await openEmbeddedSolana({ state, clock: createClock(), port: 0 })
  onTestFinished(() => solana.close())
  const publicOf = (secret = '') => Keypair.fromSecretKey(base58.decode(secret)).publicKey.toBase58()
  expect(solana.bindings).toMatchObject({
    VAULT_AUTHORITY_KEYS: `1:${kept.authority}`,
    VAULT_AUTHORITY_ADDRESSES: `1:${publicOf(kept.authority)}`,
    VAULT_RECOVERY_ADDRESSES: `1:${publicOf(kept.recovery)}`,
    PAYMENTS_AUTHORITY_KEYS: `1:${kept.payments}`,
    PAYMENTS_AUTHORITY_ADDRESSES: `1:${publicOf(kept.payments)}`,
  })
})
