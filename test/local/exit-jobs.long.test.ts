import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Keypair, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { refundAccount } from '../../lib/payments/chain/job-accounts.ts'
import { recordKeyVersions } from '../../lib/payments/key-version-queries.ts'
import { type Address, addressBytes } from '../../lib/solana/address.ts'
import { signer, writable } from '../../lib/solana/instruction.ts'
import {
  associatedTokenAddress,
  createAssociatedIdempotent,
} from '../../lib/solana/programs/associated-token.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { addressOf, donate, mintOf, ownerTokensOf, perform } from '../support/chain.ts'
import { JOB_PRICE, openJobs } from '../support/funded-jobs.ts'
import { keyFile } from '../support/key-files.ts'
import type { Payer } from '../support/payer.ts'
import { runScript } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'
import { balanceOf, connectionOf, createStaker } from '../support/staker.ts'

const recovery = Keypair.generate()

let service: Service
let jobs: Awaited<ReturnType<typeof openJobs>>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'vault', 'payments', 'settlement'],
    bindings: { PAYMENTS_RECOVERY_ADDRESSES: `1:${recovery.publicKey.toBase58()}` },
  })
  jobs = await openJobs(service)
})
afterAll(async () => {
  await jobs?.close()
  await service?.stop()
})

/** The commands of lib/payments/chain/README.md: a dry run, and the exit. */
const readme = readFileSync(join(import.meta.dirname, '../../lib/payments/chain/README.md'), 'utf8')
const COMMANDS = [...readme.matchAll(/^npm run exit -- (--jobs .*)$/gm)].map(([, command = '']) => command)

/** The arguments of a command, with this hirer's values. */
function argumentsOf(command: string, hirer: Payer, changes: Record<string, string> = {}): string[] {
  const values: Record<string, string> = {
    '<url>': service.solana.url,
    '<mint>': service.solana.bindings.VAULT_MINT,
    '<key file>': keyFile(hirer.keypair),
    '<recovery key>': keyFile(recovery),
    '<n>': '1',
    ...changes,
  }
  return (command.match(/<[^>]+>|\S+/g) ?? []).map((word) => values[word] ?? word)
}
const commandOf = (hirer: Payer, changes?: Record<string, string>) =>
  argumentsOf(COMMANDS[1] ?? '', hirer, changes)

async function exit(args: string[]) {
  const script = runScript('exit', args)
  const code = await script.ended
  return { code, output: script.output() }
}

async function escrowOf(id: string): Promise<Address> {
  return String((await jobs.rowOf(id)).escrow) as Address
}
const refundsOf = async (hirer: Payer) => (await refundAccount(hirer.owner as string as Address, 1)).address

describe('the end of jobs', () => {
  it('leaves no agent unpaid: the key is published when their owners have collected', async () => {
    const hirer = await jobs.createHirer()
    const [earned, accepted] = [await jobs.funded(hirer), await jobs.accepted(hirer)]
    await jobs.deliver(earned)
    await jobs.approve(earned, hirer)
    const command = async (name: string) => {
      const script = runScript('jobs', [name, '--generation', '1'], { DATABASE_URL: service.database.url })
      return { code: await script.ended, output: script.output() }
    }
    expect(await command('end')).toMatchObject({ code: 1, output: expect.stringContaining('never deployed') })
    const [keys] = service.solana.bindings.PAYMENTS_AUTHORITY_ADDRESSES.split(',')
    await recordKeyVersions(jobs.db, [{ keyVersion: 1, authority: keys?.slice(2) as Address }])
    onTestFinished(() => service.database.engine.execScript('update payment_generations set ended_at = null'))
    expect(await command('end')).toMatchObject({ code: 0, output: expect.stringContaining('go on') })
    expect((await hirer.post('jobs/fund', { jobId: accepted })).body.code).toBe('jobs_off')
    expect(await command('publishable')).toMatchObject({
      code: 1,
      output: expect.stringContaining('three minutes'),
    })
    await service.database.engine.execScript(
      `update payment_generations set ended_at = ended_at - interval '3 minutes'`,
    )
    const unpaid = await command('publishable')
    expect(unpaid.code).toBe(1)
    expect(unpaid.output).toContain(`unpaid\t${jobs.owner.owner}\t100 CRED`)
    await jobs.owner.land(jobs.owner.post('jobs/collect'))
    expect(await command('publishable')).toEqual({
      code: 0,
      output: 'key version 1: you may publish the recovery key of jobs.\n',
    })
    expect(await exit(commandOf(hirer))).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 CRED withdrawn from 1 escrow; 0.00203928 SOL of rent returned.'),
    })
  })
})

describe('npm run exit -- --jobs', () => {
  it('takes back what all escrows hold, and closes them, without the service', async () => {
    const hirer = await jobs.createHirer()
    const [funded, delivered, paid] = [
      await jobs.funded(hirer),
      await jobs.funded(hirer),
      await jobs.funded(hirer),
    ]
    await jobs.deliver(delivered)
    await jobs.deliver(paid)
    await jobs.approve(paid, hirer)
    await jobs.owner.land(jobs.owner.post('jobs/collect', { jobId: paid }))
    const escrows = await Promise.all([funded, delivered, paid].map(escrowOf))
    const before = await hirer.cred()
    const lamports = () => connectionOf(service).getBalance(hirer.keypair.publicKey)
    const solBefore = await lamports()

    const dry = await exit(argumentsOf(COMMANDS[0] ?? '', hirer))
    expect(dry, dry.output).toMatchObject({ code: 0 })
    expect(dry.output).toContain(`refund account ${await refundsOf(hirer)} (key version 1,`)
    for (const [i, escrow] of escrows.entries())
      expect(dry.output).toContain(`escrow    ${escrow}  ${i < 2 ? 100 : 0} CRED\n`)
    expect(dry.output).toContain('200 CRED from 3 escrows would be withdrawn. Nothing was moved.')
    expect(await hirer.cred()).toBe(before)

    const run = { code: 0 as number | null, output: '' }
    const calls = await service.countSql(async () => Object.assign(run, await exit(commandOf(hirer))))
    expect(run.code, run.output).toBe(0)
    expect(calls).toBe(0)
    expect(run.output).toContain('200 CRED withdrawn from 3 escrows; 0.00611784 SOL of rent returned.')
    expect(await hirer.cred()).toBe(before + 2n * JOB_PRICE)
    expect(BigInt((await lamports()) - solBefore)).toBe(6_117_840n - 3n * 10_200n)
    for (const escrow of escrows) expect(await balanceOf(service, escrow)).toBeUndefined()
    const again = await exit(commandOf(hirer))
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('there is nothing to withdraw') })
  })

  it('takes back one escrow, into a new account when the hirer has given its own away', async () => {
    const hirer = await jobs.createHirer()
    const [one, other] = [await escrowOf(await jobs.funded(hirer)), await escrowOf(await jobs.funded(hirer))]
    const tokens = await ownerTokensOf(service, hirer.owner)
    // SetAuthority of AccountOwner.
    const data = new Uint8Array([6, 2, 1, ...addressBytes(addressOf(Keypair.generate()))])
    const accounts = [writable(tokens), signer(addressOf(hirer.keypair))]
    await perform(service, [hirer.keypair], [{ program: TOKEN_PROGRAM, accounts, data }])
    const run = await exit([...commandOf(hirer), '--position', one])
    expect(run, run.output).toMatchObject({ code: 0 })
    const [, destination = ''] = /100 CRED to (\S+),/.exec(run.output) ?? []
    expect(destination).not.toBe(tokens)
    expect(await balanceOf(service, destination)).toBe(JOB_PRICE)
    expect(await balanceOf(service, other)).toBe(JOB_PRICE)
    const gone = await exit([...commandOf(hirer), '--position', one])
    expect(gone).toMatchObject({ code: 1, output: expect.stringContaining('holds no escrow at') })
  })

  it('empties an account that somebody else has made for it, and leaves it open', async () => {
    const hirer = await jobs.createHirer()
    const stranger = await createStaker(service, 5)
    const refunds = await refundsOf(hirer)
    const account = await associatedTokenAddress(refunds, mintOf(service))
    const creation = createAssociatedIdempotent(account, refunds, mintOf(service))
    const payer = { ...creation.accounts[0], address: addressOf(stranger.keypair) }
    const accounts = [payer, ...creation.accounts.slice(1)] as typeof creation.accounts
    await perform(service, [stranger.keypair], [{ ...creation, accounts }])
    await donate(service, stranger, account, 5n)
    const before = await hirer.cred()
    const run = await exit(commandOf(hirer))
    expect(run, run.output).toMatchObject({ code: 0 })
    expect(run.output).toContain('0.000000005 CRED withdrawn from 1 escrow; 0 SOL of rent returned.')
    expect((await hirer.cred()) - before).toBe(5n)
    expect((await exit(commandOf(hirer))).output).toContain('there is nothing to withdraw')
  })

  it('refuses another recovery key, and a wallet without a refund account; moves nothing', async () => {
    const hirer = await jobs.createHirer()
    const escrow = await escrowOf(await jobs.funded(hirer))
    const stranger = Keypair.generate()
    const other = await exit(commandOf(hirer, { '<recovery key>': keyFile(stranger) }))
    expect(other.code).toBe(1)
    expect(other.output).toContain(
      `${stranger.publicKey} is not the recovery key of the refund account ${await refundsOf(hirer)}, which is ${recovery.publicKey}`,
    )
    expect(await balanceOf(service, escrow)).toBe(JOB_PRICE)
    const none = await exit(commandOf(hirer, { '<n>': '2' }))
    expect(none).toMatchObject({
      code: 1,
      output: expect.stringContaining('has no refund account of key version 2'),
    })
    // Of another hirer, nothing is found or moved.
    const thief = await jobs.createHirer()
    const stolen = await exit([...commandOf(thief), '--position', escrow])
    expect(stolen).toMatchObject({ code: 1, output: expect.stringContaining('holds no escrow at') })
  })

  it('says how much SOL is missing for the fee', async () => {
    const hirer = await jobs.createHirer()
    await jobs.funded(hirer)
    const { publicKey: fromPubkey } = hirer.keypair
    const lamports = (await connectionOf(service).getBalance(fromPubkey)) - 5_000
    const transfer = SystemProgram.transfer({ fromPubkey, toPubkey: recovery.publicKey, lamports })
    await perform(service, [hirer.keypair], [transfer])
    const poor = await exit(commandOf(hirer))
    expect(poor.code).toBe(1)
    expect(poor.output).toMatch(/^FAILED .* 100 CRED: the owner's wallet has 0 SOL but needs 0\.0000102 SOL/m)
  })
})
