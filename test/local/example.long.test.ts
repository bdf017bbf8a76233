import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OWNERS, WORKING } from '../../lib/cli/example/agents.ts'
import { openLocalChain } from '../../lib/cli/solana/local-chain.ts'
import { createWallet, walletFromSeed } from '../../lib/cli/wallet.ts'
import { jobStatuses } from '../../schema/values.ts'
import { startBrowser } from '../support/browser.ts'
import { visitConsole } from '../support/console.ts'
import { baseUrlOf, clientOf, platformVariables, start, startPlatform } from '../support/platform.ts'
import type { Script } from '../support/process.ts'

const PATIENCE_MS = 850_000

/** How far a platform's clock is from the machine's, in milliseconds. */
const offsetOf = ({ DATA_DIR }: { DATA_DIR: string }): number =>
  JSON.parse(readFileSync(join(DATA_DIR, 'clock.json'), 'utf8'))

/** Waits until a platform's market is filled. */
const filled = (platform: Script) =>
  Promise.race([
    platform.printed('the market is filled'),
    platform.printed('was not filled').then(() => Promise.reject(new Error(platform.output()))),
  ])

/** A value of the list that a platform prints when it is ready, as it was printed last. */
const printedOf = (platform: Pick<Script, 'output'>, name: string): string =>
  [...platform.output().matchAll(new RegExp(`^  ${name} +(.*)$`, 'gm'))].at(-1)?.[1] ?? ''

/** Where the console asks for an example market. */
async function exampleUrlOf(origin: string): Promise<string> {
  const settings: { exampleUrl: string } = await (await fetch(`${origin}/console/development.json`)).json()
  return settings.exampleUrl
}

/** Hires the agent that works by itself, and funds the hire. Returns when it has charged and collected. */
async function hireWorking(platform: { env: { PORT: string; SOLANA_RPC_PORT: string }; output(): string }) {
  const { env } = platform
  const wallet = createWallet()
  const chain = openLocalChain(`http://127.0.0.1:${env.SOLANA_RPC_PORT}`)
  await chain.fund(wallet.publicKey, printedOf(platform, 'CRED mint'), 10_000_000_000n)
  const client = clientOf(env, wallet)
  const { agents } = await client.call('GET /agents', { query: { q: WORKING } })
  const hire = await client.hire({ agentId: agents[0]?.id ?? '' })
  const charges = async () => {
    const { charges } = await client.call('GET /payments/charges', {
      query: { role: 'hirer', hireId: hire.id },
    })
    return charges.map(({ amount, status, result }) => [amount, status, result?.split('!')[0]])
  }
  await expect.poll(charges).toEqual([[2_000_000_000n, 'recorded', 'Guten Morgen']])
  await client.fund({ hireId: hire.id, amount: 5_000_000_000n })
  await expect.poll(charges).toEqual([[2_000_000_000n, 'collected', 'Guten Morgen']])
}

/** Orders a job of the agent that works by itself. Returns when it has delivered and was paid. */
async function orderOfWorking(platform: {
  env: { PORT: string; SOLANA_RPC_PORT: string }
  output(): string
}) {
  const { env } = platform
  const wallet = createWallet()
  const chain = openLocalChain(`http://127.0.0.1:${env.SOLANA_RPC_PORT}`)
  await chain.fund(wallet.publicKey, printedOf(platform, 'CRED mint'), 10_000_000_000n)
  const client = clientOf(env, wallet)
  const { agents } = await client.call('GET /agents', { query: { q: WORKING } })
  const order = { agentId: agents[0]?.id ?? '', price: 3_000_000_000n, reference: 'first' }
  const { id } = await client.postJob({ ...order, title: 'A sentence', brief: 'The door is open.' })
  const job = await client.waitForJob(id, { until: ({ status }) => status !== 'open' })
  await client.fundJob({ job })
  await client.waitForJob(id, { until: ({ status }) => status === 'delivered' })
  const { delivery } = await client.call('GET /jobs/{id}/texts', { path: { id } })
  expect(delivery?.text).toBe('Die Tür ist offen.')
  await client.decideJob({ jobId: id, act: 'approve' })
  const paid = await client.waitForJob(id, { until: ({ paidAt }) => paidAt !== undefined })
  expect(paid).toMatchObject({ status: 'completed', agentAmount: 3_000_000_000n })
}

/** The states of the jobs that each account of the development wallet sees: ordered, to do, or to judge. */
async function jobStates(origin: string, env: { PORT: string }) {
  const settings: { accounts: { d: string }[] } = await (
    await fetch(`${origin}/console/development.json`)
  ).json()
  const roles = ['hirer', 'agent', 'judge'] as const
  return Promise.all(
    settings.accounts.map(async ({ d }, index) => {
      const client = clientOf(env, walletFromSeed(Buffer.from(d, 'base64url')))
      const { jobs } = await client.call('GET /jobs', { query: { role: roles[index], limit: 100 } })
      return [...new Set(jobs.map(({ status }) => status))].sort()
    }),
  )
}

describe('an example market', () => {
  it('fills an empty market at a click, once, and ends at the machine’s time', async () => {
    const wanted = platformVariables()
    const platform = await startPlatform(wanted)
    const { env } = platform
    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    const { origin } = new URL(baseUrlOf(env))
    const exampleUrl = await exampleUrlOf(origin)
    const banner = platform.output().split('AgentCred is ready')[1]?.split('Try, in')[0]
    let sessions = 0
    const early = clientOf(env, createWallet(), { onSession: (session) => session && sessions++ })
    await early.login()
    const { page } = await visitConsole(browser, origin, { view: 'market', others: [exampleUrl] })
    await page.getByRole('button', { name: 'Fill with sample data' }).click()
    await page.getByRole('status').getByText('Restarting with sample data').waitFor()
    await filled(platform)
    await page.getByRole('heading', { name: 'Yield Scout' }).waitFor({ timeout: PATIENCE_MS })

    const client = clientOf(env)
    const { agents } = await client.call('GET /agents', { query: { limit: 100 } })
    expect(agents).toHaveLength(OWNERS.flat().length)
    const states = agents.flatMap(({ endpoint }) => endpoint?.status ?? [])
    // Two of them are there for their cards.
    expect(states).toHaveLength(4)
    expect(states.filter((state) => state === 'live')).toHaveLength(1)
    expect(states).toContain('down')
    expect(agents.filter(({ ratings }) => ratings > 0).length).toBeGreaterThan(15)
    const stats = await client.call('GET /marketplace/stats')
    expect(stats.totalAttestations).toBeGreaterThan(10)
    expect(stats.totalValueLocked).toBeGreaterThan(0n)
    const { days } = await client.call('GET /marketplace/stats/history', { query: { days: 31 } })
    // Today is recorded from 00:07 on.
    expect(days.length).toBeGreaterThanOrEqual(30)
    expect(new Set(days.map(({ totalAgents }) => totalAgents)).size).toBeGreaterThan(5)
    expect(Math.abs(offsetOf(env))).toBeLessThan(60_000)
    const all = [...jobStatuses].sort()
    expect(await jobStates(origin, env)).toEqual([all, all, ['disputed']])

    // The lines printed at the start are still true, and are printed again.
    const afterwards = platform.output().split('the market is filled')[1]
    expect(afterwards?.split('AgentCred is ready')[1]?.slice(0, banner?.length)).toBe(banner)
    expect((await client.call('GET /vault/terms')).mint).toBe(printedOf(platform, 'CRED mint'))
    const codes = printedOf(platform, 'invite codes').split(' ')
    expect(codes).toHaveLength(3)
    for (const inviteCode of codes)
      await client.call('POST /pioneer', { body: { inviteCode, walletAddress: createWallet().publicKey } })
    await early.call('GET /agents/hire')
    expect(sessions).toBe(1)
    await hireWorking(platform)
    await orderOfWorking(platform)
    await platform.stop()

    const again = await startPlatform(wanted, ['--example'])
    await again.printed('the market is not empty: nothing was added')
    await again.printed('Try, in')
    const { count } = await clientOf(again.env).call('GET /agents', { query: { limit: 100 } })
    expect(count).toBe(agents.length)
    await hireWorking(again)
    expect(await again.stop()).toBe(0)
    expect(again.output()).not.toContain('The example agent stopped')
  })

  it('is made again when it was cut off', async () => {
    const env = platformVariables()
    const first = await startPlatform(env, ['--example'])
    await first.printed('filling the market')
    await expect
      .poll(async () => (await clientOf(first.env).call('GET /agents')).count, { timeout: PATIENCE_MS })
      .toBeGreaterThan(2)
    expect(await first.stop()).toBe(0)
    expect(first.output()).not.toContain('was not filled')
    expect(offsetOf(env)).toBeLessThan(-86_400_000)

    const second = await startPlatform(env)
    await second.printed('the sample data was incomplete: it is made again')
    await filled(second)
    const log = () => second.output().split('the market is filled')[1]
    await expect.poll(log, { timeout: 20_000 }).toMatch(/AgentCred is ready(.*\n)* {2}inbox (.*\n)*Try, in/)
    expect((await clientOf(second.env).call('GET /agents', { query: { limit: 100 } })).count).toBe(24)
    expect(printedOf(second, 'CRED mint')).toBe(printedOf(first, 'CRED mint'))
    expect(Math.abs(offsetOf(env))).toBeLessThan(60_000)
  })

  it('ends the platform, and says why, when that can not start again', async () => {
    const platform = await startPlatform(platformVariables())
    const { env } = platform
    const { origin } = new URL(baseUrlOf(env))
    const exampleUrl = await exampleUrlOf(origin)
    const { status } = await fetch(exampleUrl, { method: 'POST', headers: { origin } })
    expect(status).toBe(200)
    // Another program takes a port as soon as it is free.
    const thief = createServer()
    onTestFinished(() => void thief.close())
    const take = () => thief.listen(Number(env.INBOX_PORT), '127.0.0.1')
    thief.on('error', () => setTimeout(take, 2))
    take()
    expect(await platform.ended).toBe(1)
    const why = `INBOX_PORT: another program has port ${env.INBOX_PORT}. End it, or choose another port`
    expect(platform.output()).toContain(`The market was not filled: ${why}`)
    expect(platform.output()).toContain(`AgentCred stopped: ${why}`)
  })

  it('is not made where a setting names the database', async () => {
    const script = start('dev', platformVariables({ DATABASE_URL: 'postgresql://a@127.0.0.1/a' }), [
      '--example',
    ])
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain('--example needs the embedded database and the embedded chain')
  })
})
