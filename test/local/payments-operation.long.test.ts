import { base58 } from '@scure/base'
import { expect, it, onTestFinished } from 'vitest'
import { openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { createClock } from '../../lib/local/clock.ts'
import { collectionsIn } from '../support/collections.ts'
import { connectDatabase } from '../support/database.ts'
import { runScript } from '../support/process.ts'

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
