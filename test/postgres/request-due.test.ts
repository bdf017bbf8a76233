import { expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import { settleDuePayments } from '../../lib/x402/facilitator/settle-due.ts'
import { cred } from '../../schema/amounts.ts'
import { useDatabase } from '../support/database.ts'
import { ONE_CRED } from '../support/paid.ts'
import { at, payableAgent, signed } from '../support/request-payments.ts'

/* Payments for requests that the settlement job asks the network about. */

const database = useDatabase()
const HOUR = 3_600

/** A payment that the network has never seen, and what is recorded of it. */
async function lostPayment() {
  const agent = await payableAgent(database.db)
  const held = await agent.settle(signed(), at(0))
  const rows = () => database.rows('select status, due_at from request_payments where id = $1', held.id ?? '')
  return {
    status: async () => (await rows())[0]?.[0],
    dueAt: async () => new Date(String((await rows())[0]?.[1])),
  }
}

/** A node that has no transaction, and what it was asked and has answered, in this order. */
function emptyNode({ slot = 200n, firstTime = at(0) } = {}) {
  const log: string[] = []
  const answer = async <T>(name: string, value: T): Promise<T> => {
    log.push(`asked for ${name}`)
    await new Promise(setImmediate)
    log.push(`answered ${name}`)
    return value
  }
  const rpc = {
    finalizedBlock: () => answer('block', { slot: 200n, height: 151n }),
    statuses: (signatures: string[]) =>
      answer('statuses', { slot, statuses: signatures.map(() => undefined) }),
    firstTime: () => answer('first time', firstTime),
  } as Partial<Rpc> as Rpc
  return { rpc, log }
}

const settleAt = (rpc: Rpc, seconds: number) =>
  settleDuePayments({ db: database.db, rpc, now: at(seconds), feeStep: cred(ONE_CRED), notify: () => {} })

it('asks for statuses and the final block at once', async () => {
  const payment = await lostPayment()
  const { rpc, log } = emptyNode()
  await settleAt(rpc, 90)
  expect(log.slice(0, 2).toSorted()).toEqual(['asked for block', 'asked for statuses'])
  expect(await payment.status()).toBe('expired')
})

it('records nothing when the node has not reached the final block', async () => {
  const payment = await lostPayment()
  await settleAt(emptyNode({ slot: 199n }).rpc, 90)
  expect(await payment.status()).toBe('pending')
  await settleAt(emptyNode().rpc, 180)
  expect(await payment.status()).toBe('expired')
})

it('reads once the start of the node’s history, and ends older payments by that', async () => {
  const [one, two] = [await lostPayment(), await lostPayment()]
  const forgetful = emptyNode({ firstTime: at(1) })
  await settleAt(forgetful.rpc, 2 * HOUR)
  expect(forgetful.log.filter((line) => line === 'asked for first time')).toHaveLength(1)
  expect([await one.status(), await two.status()]).toEqual(['pending', 'pending'])
  await settleAt(emptyNode().rpc, 4 * HOUR)
  expect([await one.status(), await two.status()]).toEqual(['expired', 'expired'])
})

it('checks a payment again after its age, from six hours on with the daily job', async () => {
  const payment = await lostPayment()
  const taken = async (seconds: number) => {
    await postgres.takeDueRequestPayments.rows(database.db, { limit: 256, now: at(seconds) })
    return payment.dueAt()
  }
  expect(await taken(90)).toEqual(at(180))
  expect(await taken(2 * HOUR)).toEqual(at(4 * HOUR))
  expect(await taken(6 * HOUR - 1)).toEqual(at(12 * HOUR - 2))
  // At 00:07 UTC.
  expect(await taken(12 * HOUR)).toEqual(at(12 * HOUR + 420))
  expect(await taken(12 * HOUR + 420)).toEqual(at(36 * HOUR + 420))
})
