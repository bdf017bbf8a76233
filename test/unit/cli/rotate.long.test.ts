import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeploymentFolder } from '../../../lib/cli/deploy/deployment.ts'
import { WranglerError } from '../../../lib/cli/deploy/wrangler.ts'
import { rotate, type What } from '../../../lib/cli/rotate/run.ts'
import { commandErrorOf } from '../../../lib/cli/setup/errors.ts'
import { makeKeys, planKeys, vaultKeys } from '../../../lib/cli/setup/keys.ts'
import { SYSTEM_PROGRAM } from '../../../lib/solana/programs/programs.ts'
import { webhookPublicKey } from '../../../lib/tools/keys/webhooks.ts'
import { newestFeePayer } from '../../../lib/tools/keys/x402.ts'
import { readFacilitatorKey, writeFacilitatorKey } from '../../../lib/x402/keys/facilitator-key.ts'
import { AGENT_ID } from '../../../schema/examples.ts'
import { deploymentToRotate } from '../../support/rotation.ts'

type Texts = Record<string, string>
type Deployed = Map<string, Texts>

const HOUR_MS = 3_600_000
const kidsOf = (jwks = '{"keys":[]}'): string[] =>
  JSON.parse(jwks).keys.map(({ kid }: { kid: string }) => kid)
const listOf = (text = '') => text.split(',')

/**
 * Remembers which keys have signed tokens, and checks that every Worker knows the keys of the last 30 days.
 */
function sessionsHold() {
  const signedAt = new Map<string, number>()
  return (deployed: Deployed, now: Date) => {
    const signer = deployed.get('auth')?.SESSION_SIGNING_KEY
    if (signer) signedAt.set(JSON.parse(signer).kid, now.getTime())
    for (const [group, { SESSION_JWKS }] of deployed)
      for (const [kid, at] of signedAt)
        if (SESSION_JWKS !== undefined && now.getTime() - at < 30 * 24 * HOUR_MS)
          expect(kidsOf(SESSION_JWKS), group).toContain(kid)
  }
}

/** Holds that each webhook has a signature by a key of any set that was published in the last seven days. */
function webhooksHold() {
  const published = new Map<string, number>()
  return (deployed: Deployed, now: Date) => {
    const set = deployed.get('events')?.WEBHOOK_PUBLIC_KEYS
    const signing = deployed.get('jobs')?.WEBHOOK_SIGNING_KEYS
    if (set) published.set(set, now.getTime())
    for (const [keys, at] of published)
      if (signing && now.getTime() - at < 7 * 24 * HOUR_MS)
        expect(listOf(signing).some((key) => listOf(keys).includes(webhookPublicKey(key)))).toBe(true)
  }
}

/** Holds that a key of an agent that was made in the last 30 days is read. */
function agentKeysHold() {
  const made = new Map<string, number>()
  return async (deployed: Deployed, now: Date) => {
    const secret = deployed.get('x402')?.X402_KEY_SECRET
    if (!secret) return
    made.set(await writeFacilitatorKey(secret, { agentId: AGENT_ID, keyVersion: 1 }), now.getTime())
    for (const [key, at] of made)
      if (now.getTime() - at < 30 * 24 * HOUR_MS) expect(await readFacilitatorKey(secret, key)).toBeDefined()
  }
}

/** Returns the keys of a kind in the secrets, and the setting that names the newest. */
const KINDS: Record<
  string,
  {
    of: (keys: Texts) => string[]
    waitHours: number
    holds: () => (deployed: Deployed, now: Date) => void | Promise<void>
  }
> = {
  session: { of: (keys) => kidsOf(keys.SESSION_JWKS), waitHours: 30 * 24.1, holds: sessionsHold },
  webhooks: { of: (keys) => listOf(keys.WEBHOOK_PUBLIC_KEYS), waitHours: 7 * 24, holds: webhooksHold },
  'agent-keys': {
    of: (keys) => listOf(keys.X402_KEY_SECRET).toReversed(),
    waitHours: 30 * 24,
    holds: agentKeysHold,
  },
}

describe.each(Object.entries(KINDS))('npm run rotate -- %s', (kind, { of, waitHours, holds }) => {
  const what = kind as What

  it('adds a key, waits, drops the older one, and says each time what is left and when', async () => {
    const { run, wait, secrets, lines, stale, folder } = await deploymentToRotate(holds())
    const [first = ''] = of(secrets())
    await run(what, { isPlan: true })
    expect(of(secrets())).toEqual([first])
    expect(lines.splice(0).join()).toMatch(
      /^make a new key besides the current one, deploy .*(auth|jobs, events|x402), check the service/,
    )
    await run(what)
    const [second = ''] = of(secrets())
    expect(of(secrets())).toEqual([second, first])
    expect(lines.splice(0).at(-1)).toMatch(
      /^left {3}the older key, because .*: run npm run rotate -- [\w-]+ again at 2026-1\d-2\dT/,
    )
    for (const isPlan of [true, false]) {
      await run(what, { isPlan })
      expect(of(secrets())).toEqual([second, first])
      expect(lines.splice(0)).toHaveLength(1)
    }
    wait(waitHours * HOUR_MS)
    await run(what)
    expect(of(secrets())).toEqual([second])
    expect(lines.splice(0).at(-1)).toContain('older keys are removed')
    expect(stale()).toEqual([])
    expect(folder.read('rotate.json')).toEqual({})
    // And the next one begins anew.
    await run(what)
    expect(of(secrets())).toHaveLength(2)
  })

  it('ends the same when it is killed before any effect of either run', async () => {
    for (let killAfter = 0, isKilled = true; isKilled; killAfter++) {
      isKilled = false
      const { run, wait, secrets, stale, folder } = await deploymentToRotate(holds())
      const [first = ''] = of(secrets())
      for (let phase = 0; phase < 2; phase++) {
        const isWhole = await run(what, { killAfter })
        isKilled ||= !isWhole
        if (!isWhole) await run(what)
        if (phase === 0) expect(of(secrets())).toEqual([expect.any(String), first])
        wait(waitHours * HOUR_MS)
      }
      expect(of(secrets())).toHaveLength(1)
      expect(of(secrets())).not.toContain(first)
      expect(folder.read('rotate.json')).toEqual({})
      expect(stale()).toEqual([])
    }
  })

  it('replaces a leaked key without overlap, also during a rotation, and after a kill', async () => {
    for (let killAfter = 0, isKilled = true; isKilled; killAfter++) {
      const { run, secrets, stale, folder } = await deploymentToRotate()
      await run(what)
      const before = of(secrets())
      isKilled = !(await run(what, { isAtOnce: true, killAfter }))
      const made = of(secrets())
      // Without the option it is not made another rotation of, once the key is there.
      if (isKilled) await run(what, { isAtOnce: made.length > 1 })
      expect(of(secrets())).toHaveLength(1)
      expect(before).not.toContain(of(secrets())[0])
      if (made.length === 1) expect(of(secrets())).toEqual(made)
      expect(folder.read('rotate.json')).toEqual({})
      expect(stale()).toEqual([])
    }
  })
})

it('goes on with a rotation that somebody began without it', async () => {
  const { run, secrets, folder } = await deploymentToRotate()
  await run('session')
  folder.remove('rotate.json')
  const before = secrets().SESSION_JWKS
  await run('session')
  expect(secrets().SESSION_JWKS).toBe(before)
  expect(folder.read('rotate.json')).toMatchObject({ session: { deployedAt: expect.any(String) } })
})

it('cards and payments need no second run, and older keys of payments stay', async () => {
  for (let killAfter = 0, isKilled = true; isKilled; killAfter++) {
    const { run, secrets, deployed, folder } = await deploymentToRotate()
    const { CARD_JWKS, PAYMENTS_AUTHORITY_KEYS } = secrets()
    isKilled = false
    for (const what of ['cards', 'payments'] as const) {
      const isWhole = await run(what, { killAfter })
      isKilled ||= !isWhole
      if (!isWhole) await run(what)
    }
    expect(kidsOf(secrets().CARD_JWKS)).toEqual([expect.any(String), ...kidsOf(CARD_JWKS)])
    expect(secrets().PAYMENTS_AUTHORITY_KEYS).toMatch(new RegExp(`^${PAYMENTS_AUTHORITY_KEYS},2:\\w+$`))
    const addresses = secrets().PAYMENTS_AUTHORITY_ADDRESSES
    expect(addresses).toMatch(/^1:\w+,2:\w+$/)
    for (const group of ['payments', 'settlement'])
      expect(deployed.get(group)?.PAYMENTS_AUTHORITY_ADDRESSES, group).toBe(addresses)
    expect(folder.deployment().vars.PAYMENTS_AUTHORITY_ADDRESSES).toBe(addresses)
    const recoveries = secrets().PAYMENTS_RECOVERY_ADDRESSES
    expect(recoveries).toBe(`1:${recoveryIn(folder, 1).address},2:${recoveryIn(folder, 2).address}`)
    for (const group of ['payments', 'work'])
      expect(deployed.get(group)?.PAYMENTS_RECOVERY_ADDRESSES, group).toBe(recoveries)
    expect(folder.deployment().vars.PAYMENTS_RECOVERY_ADDRESSES).toBe(recoveries)
    for (const keyVersion of [1, 2]) {
      const known = JSON.stringify([[...deployed], secrets(), folder.deployment()])
      expect(known).not.toContain(recoveryIn(folder, keyVersion).secret)
    }
    expect(folder.read('rotate.json')).toEqual({})
  }
})

/** Reads the file of a recovery key of jobs. */
function recoveryIn(folder: DeploymentFolder, keyVersion: number): { address: string; secret: string } {
  const key = Uint8Array.from(folder.read(`payments-recovery-${keyVersion}.json`) as number[])
  return { address: base58.encode(key.subarray(32)), secret: base58.encode(key) }
}

it('says which file to take offline, and what integrators pin, when payments is rotated', async () => {
  const { run, lines, folder } = await deploymentToRotate()
  await run('payments')
  expect(lines).toContainEqual(
    expect.stringContaining(`MOVE ${folder.path('payments-recovery-2.json')} offline`),
  )
  expect(lines).toContainEqual(expect.stringContaining(`"recovery":"${recoveryIn(folder, 2).address}"`))
})

describe('the recovery key of jobs', () => {
  const options = { solana: 'solana:devnet' } as Parameters<typeof makeKeys>[2]

  it('is made for the newest version when a setup of a former release has none', async () => {
    const { folder, run, secrets } = await deploymentToRotate()
    await run('payments')
    const { PAYMENTS_RECOVERY_ADDRESSES: _, ...former } = secrets()
    folder.remove('payments-recovery-1.json')
    folder.remove('payments-recovery-2.json')
    folder.writeJson('secrets.json', former)
    expect((await planKeys(folder, {}, options)).made).toEqual(['PAYMENTS_RECOVERY_ADDRESSES'])
    expect(existsSync(folder.path('payments-recovery-2.json'))).toBe(false)
    const { PAYMENTS_RECOVERY_ADDRESSES } = await makeKeys(folder, {}, options, {})
    expect(PAYMENTS_RECOVERY_ADDRESSES).toBe(`2:${recoveryIn(folder, 2).address}`)
    expect(existsSync(folder.path('payments-recovery-1.json'))).toBe(false)
    // Also after the file was taken offline.
    folder.remove('payments-recovery-2.json')
    expect(await makeKeys(folder, {}, options, {})).toMatchObject({ PAYMENTS_RECOVERY_ADDRESSES })
    expect(secrets()).toMatchObject({ ...former, PAYMENTS_RECOVERY_ADDRESSES })
    expect(existsSync(folder.path('payments-recovery-2.json'))).toBe(false)
  })

  it('is another key than the vault’s, and none is made when Solana is left out', async () => {
    const { secrets, folder } = await deploymentToRotate()
    expect(secrets().PAYMENTS_RECOVERY_ADDRESSES).not.toBe(secrets().VAULT_RECOVERY_ADDRESSES)
    folder.remove('secrets.json')
    folder.remove('payments-recovery-1.json')
    expect(await makeKeys(folder, {}, { solana: 'none' }, {})).toEqual({})
    expect(existsSync(folder.path('payments-recovery-1.json'))).toBe(false)
  })

  it('is taken from the environment, which may not replace a recorded one', async () => {
    const { secrets, folder } = await deploymentToRotate()
    const { PAYMENTS_RECOVERY_ADDRESSES, VAULT_MINT = '' } = secrets()
    const PAYMENTS = { PAYMENTS_RECOVERY_ADDRESSES: `1:${VAULT_MINT}` }
    await expect(makeKeys(folder, PAYMENTS, options, {})).rejects.toThrow(
      /^PAYMENTS_RECOVERY_ADDRESSES of the environment lacks key version 1/,
    )
    const { PAYMENTS_RECOVERY_ADDRESSES: _, ...former } = secrets()
    folder.writeJson('secrets.json', former)
    const unreadable = { PAYMENTS_RECOVERY_ADDRESSES: '1=x' }
    await expect(makeKeys(folder, unreadable, options, {})).rejects.toThrow(
      /^PAYMENTS_RECOVERY_ADDRESSES must be .*: set the right values in the environment/,
    )
    expect(await makeKeys(folder, PAYMENTS, options, {})).toMatchObject(PAYMENTS)
    expect(PAYMENTS_RECOVERY_ADDRESSES).not.toBe(PAYMENTS.PAYMENTS_RECOVERY_ADDRESSES)
  })

  it('is not replaced when its file has no key', async () => {
    const { secrets, folder } = await deploymentToRotate()
    const { PAYMENTS_RECOVERY_ADDRESSES: _, ...former } = secrets()
    folder.writeJson('secrets.json', former)
    folder.write('payments-recovery-1.json', '[1, 2')
    await expect(makeKeys(folder, {}, options, {})).rejects.toThrow(
      /payments-recovery-1.json has no key: move it/,
    )
    expect(secrets()).toEqual(former)
  })
})

/** A node that has SOL for these fee payers. */
async function nodeFunding(isFunded: (address: string) => boolean): Promise<{ SOLANA_RPC_URL: string }> {
  const node = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString())
    const account = { owner: SYSTEM_PROGRAM, lamports: 100_000_000, data: ['', 'base64'] }
    const value = (params[0] as string[]).map((address) => (isFunded(address) ? account : null))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void node.close())
  return { SOLANA_RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}` }
}

it('advertises a fee payer once it is funded; the former one signs for 30 more days', async () => {
  const funded = new Set<string>()
  const node = await nodeFunding((address) => funded.has(address))
  const { run, wait, secrets, deployed, lines } = await deploymentToRotate(() => {}, node)
  const inUse = () => deployed.get('x402')?.X402_FEE_PAYER_KEY
  const first = secrets().X402_FEE_PAYER_KEY ?? ''
  await expect(run('fee-payer')).rejects.toThrow(/^Send \w+, the new fee payer, 0.1 SOL/)
  expect(inUse()).toBe(first)
  const added = newestFeePayer(secrets().X402_FEE_PAYER_KEY ?? '')
  funded.add(added)
  await run('fee-payer')
  expect(inUse()).toMatch(new RegExp(`^${first},\\w+$`))
  expect(lines.join()).not.toContain(first)
  wait(30 * 24 * HOUR_MS)
  await run('fee-payer')
  expect(newestFeePayer(inUse() ?? '')).toBe(added)
  expect(inUse()).not.toContain(',')
  // Its SOL can still be moved: nobody else has its key.
  expect(secrets().X402_FORMER_FEE_PAYER_KEYS).toBe(first)
})

it('keeps a leaked fee payer, which may have SOL, where no Worker has it', async () => {
  const node = await nodeFunding(() => true)
  for (let killAfter = 0, isKilled = true; isKilled; killAfter++) {
    const { run, secrets, deployed, lines } = await deploymentToRotate(() => {}, node)
    const first = secrets().X402_FEE_PAYER_KEY ?? ''
    await run('fee-payer')
    const both = listOf(secrets().X402_FEE_PAYER_KEY)
    isKilled = !(await run('fee-payer', { isAtOnce: true, killAfter }))
    if (isKilled) await run('fee-payer', { isAtOnce: true })
    const { X402_FORMER_FEE_PAYER_KEYS = '', X402_FEE_PAYER_KEY = '' } = secrets()
    expect(listOf(X402_FORMER_FEE_PAYER_KEYS)).toEqual(both)
    expect(both).toContain(first)
    expect(X402_FEE_PAYER_KEY).not.toContain(',')
    expect(JSON.stringify([...deployed])).not.toContain(first)
    expect(lines.join()).not.toContain(first)
  }
})

it('repeats a secret on no line and in no file but secrets.json', async () => {
  const { run, secrets, folder, lines } = await deploymentToRotate()
  for (const what of ['session', 'webhooks', 'secrets', 'cards', 'payments', 'agent-keys'] as const)
    await run(what)
  const all = secrets()
  const hidden = [
    'SESSION_SIGNING_KEY',
    'WEBHOOK_SIGNING_KEYS',
    'WEBHOOK_SECRETS_KEY',
    'CARD_SIGNING_KEY',
    'PAYMENTS_AUTHORITY_KEYS',
    'X402_KEY_SECRET',
    'X402_FEE_PAYER_KEY',
  ]
  for (const name of hidden)
    for (const part of listOf(all[name]))
      for (const text of [
        lines.join('\n'),
        JSON.stringify(folder.read('rotate.json')),
        JSON.stringify(folder.deployment()),
      ])
        expect(text).not.toContain(part)
})

it('runs every rotation of the runbooks, what asks a node or a database as a plan', async () => {
  const runbooks = readFileSync(join(import.meta.dirname, '../../../functions/runbooks.md'), 'utf8')
  const commands = new Set(
    [...runbooks.matchAll(/npm run rotate -- ([a-z][\w-]*(?: --at-once)?)(?![\w-]| --stop)/g)].map(
      ([, one]) => one ?? '',
    ),
  )
  expect(commands.size).toBeGreaterThan(8)
  for (const command of commands) {
    const [what = '', flag] = command.split(' ')
    const { run, lines } = await deploymentToRotate()
    const isPlan = ['vault', 'database', 'fee-payer'].includes(what)
    expect(await run(what as What, { isPlan, isAtOnce: flag !== undefined }), command).toBe(true)
    expect(lines.length, command).toBeGreaterThan(0)
  }
})

it('never takes an older list of vault keys for the newest, which has the treasury', async () => {
  const { folder, secrets } = await deploymentToRotate()
  const { VAULT_AUTHORITY_KEYS = '', VAULT_MINT = '' } = secrets()
  folder.writeJson('secrets.json', { ...secrets(), ...vaultKeys(folder, false, secrets()) })
  const both = secrets().VAULT_AUTHORITY_KEYS ?? ''
  const options = { solana: 'solana:devnet' } as Parameters<typeof makeKeys>[2]
  const setup = (env: Record<string, string>) =>
    makeKeys(folder, { VAULT_MINT, SOLANA_RPC_URL: 'x', ...env }, options, {})
  await expect(setup({ VAULT_AUTHORITY_KEYS })).rejects.toThrow(
    /lacks key version 2 of secrets.json: unset it/,
  )
  expect(secrets().VAULT_AUTHORITY_KEYS).toBe(both)
  await setup({ VAULT_AUTHORITY_KEYS: both })
  expect(secrets().VAULT_AUTHORITY_KEYS).toBe(both)
})

it('an error names the command to run again, with its options, and says it goes on', async () => {
  const { folder, run, secrets } = await deploymentToRotate()
  const { SESSION_JWKS } = secrets()
  const deploy = async () => {
    throw commandErrorOf(
      new WranglerError(['deploy'], 'An unknown error has occurred [code: 10013]'),
      'deploying',
    )
  }
  const nothing = async () => {}
  const options = {
    isPlan: false,
    clock: () => new Date(),
    sleep: nothing,
    keep: nothing,
    deploy,
    say: () => {},
  }
  for (const [isAtOnce, command] of [
    [false, 'session'],
    [true, 'session --at-once'],
  ] as const)
    await expect(rotate(folder, 'session', { ...options, isAtOnce })).rejects.toThrow(
      `Cloudflare failed with 500 while deploying: wait a few minutes. Run npm run rotate -- ${command} again; it continues where it stopped.`,
    )
  const made = kidsOf(secrets().SESSION_JWKS)
  await run('session', { isAtOnce: true })
  expect(kidsOf(secrets().SESSION_JWKS)).toEqual(made)
  expect(made).not.toContain(kidsOf(SESSION_JWKS)[0])
})

it('says so when the deployment has no such key', async () => {
  const { run, secrets, folder } = await deploymentToRotate()
  const { PAYMENTS_AUTHORITY_KEYS: _, ...others } = secrets()
  folder.writeJson('secrets.json', others)
  await expect(run('payments')).rejects.toThrow(
    /has no PAYMENTS_AUTHORITY_KEYS: this deployment may not need it/,
  )
})
