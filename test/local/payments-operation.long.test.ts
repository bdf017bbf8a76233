import { base58 } from '@scure/base'
import { expect, it, onTestFinished } from 'vitest'
import { openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { createClock } from '../../lib/local/clock.ts'
import { collectionsIn } from '../support/collections.ts'
import { connectDatabase } from '../support/database.ts'
import { newEscrow, settleAll, signedOfJobs } from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { runScript } from '../support/process.ts'
import { newWallet } from '../support/stored-agents.ts'

const HOUR = 3_600_000

/** A chain that has never seen any of the collections, and is past their last blocks. */
async function openNode() {
  const clock = createClock()
  const chain = await openChain({ clock })
  const server = await serveChain(chain, 0)
  onTestFinished(async () => {
    await server.close()
    await chain.close()
  })
  await clock.travelTo(clock.now() + HOUR)
  return server.url
}

it('lists unproven payments, and settles them by a node or the operator’s word', async () => {
  const { db, url: DATABASE_URL, close } = await connectDatabase()
  onTestFinished(close)
  let SOLANA_RPC_URL = ''
  const payments = async (...args: string[]) => {
    const script = runScript('payments', args, { DATABASE_URL, SOLANA_RPC_URL })
    return { code: await script.ended, output: script.output() }
  }
  expect(await payments('unproven')).toEqual({ code: 0, output: 'No collection or purchase is unproven.\n' })
  const made = collectionsIn(db, new Date(Date.now() - HOUR))
  const { owner } = await made.charged(4n)
  const { id } = await made.signedCollection(owner)
  // The node only accepts a well-formed signature.
  const signature = base58.encode(crypto.getRandomValues(new Uint8Array(64)))
  await db.$client.query('update payment_intents set network_signature = $1 where id = $2', [signature, id])
  const listed = await payments('unproven')
  expect(listed).toEqual({
    code: 0,
    output: expect.stringMatching(new RegExp(`^${id}\tof ${owner}\tsigned .*Z\n$`)),
  })
  const settle = ['settle', '--transaction', id]
  expect(await payments(...settle)).toMatchObject({ code: 2 })
  const node = await openNode()
  const unproven = { code: 1, output: expect.stringContaining('proves nothing') }
  expect(await payments(...settle, '--rpc', node)).toMatchObject(unproven)
  // Where an export keeps the node's key off the command line.
  SOLANA_RPC_URL = node
  expect(await payments(...settle)).toMatchObject(unproven)
  expect(await made.dueOf(owner)).toEqual([])
  expect(await payments(...settle, '--assume-expired')).toEqual({ code: 0, output: `${id}: expired\n` })
  expect((await made.dueOf(owner))[0]?.charges).toHaveLength(1)
})

it('stops fundings of jobs under a key version, and resumes them after it has read the escrows', async () => {
  const { db, url: DATABASE_URL, close } = await connectDatabase()
  onTestFinished(close)
  const now = new Date(Date.now() - HOUR)
  const { agentId, owner } = await storeWorkingAgent(db, now)
  const hirer = newWallet()
  const { id } = await tryToPost(db, { agentId, hirer, now, price: 5n * CRED })
  await accept(db, { id, wallet: owner, now })
  const leg = { jobId: id, address: newEscrow(), amount: 5n * CRED }
  const funding = await signedOfJobs(db, { kind: 'fund_job', wallet: hirer, legs: [leg], now })
  await settleAll(db, [{ id: funding, outcome: 'landed' }], now)
  const SOLANA_RPC_URL = await openNode()
  const jobs = async (...args: string[]) => {
    const script = runScript('jobs', args, { DATABASE_URL, SOLANA_RPC_URL })
    return { code: await script.ended, output: script.output() }
  }
  expect(await jobs('leaked', '--generation', '1')).toMatchObject({ code: 1 })
  await db.$client.query(
    `insert into payment_generations (generation, authority, taken_at) values (1, 'S', $1), (2, 'T', null)`,
    [now],
  )
  expect((await jobs('status')).output).toBe(
    `key version 1\tstopped since ${now.toISOString()}: an escrow holds less than it owes\nkey version 2\topen\n`,
  )
  // No account is on this chain.
  const resume = ['resume', '--generation', '1']
  expect(await jobs(...resume)).toEqual({
    code: 1,
    output: `job ${id}\tescrow ${leg.address}\tmust hold 5 CRED\njobs stopped: an escrow holds less than owed: send the missing CRED there, or rotate the key\n`,
  })
  await db.$client.query('update jobs set escrow_closed_at = $1', [now])
  expect(await jobs(...resume)).toMatchObject({ code: 0, output: expect.stringContaining('funded again') })
  expect(await jobs('leaked', '--generation', '2')).toMatchObject({ code: 0 })
  expect((await jobs('status')).output).toMatch(
    /^key version 1\topen\nkey version 2\tkey leaked, stopped since .*Z\n$/,
  )
  for (const wrong of [
    ['resume'],
    ['status', 'now'],
    ['status', '--generation', '1'],
    ['leaked', '--rpc', 'x'],
  ])
    expect(await jobs(...wrong)).toMatchObject({ code: 2 })
})
