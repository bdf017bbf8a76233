import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import * as postgres from '../../lib/db/functions.ts'
import { leaseDueIntents, paymentChecks } from '../../lib/payments/settlement/job-run-queries.ts'
import { recordAll } from '../../lib/payments/settlement/outcome-batches.ts'
import { selectUnproven, takeSearch } from '../../lib/payments/settlement/search-queries.ts'
import { settle } from '../../lib/payments/settlement/settle.ts'
import { settleUnproven } from '../../lib/payments/settlement/settle-unproven.ts'
import { findIntent, type Intent, leaseIntent } from '../../lib/payments/transactions/intent-queries.ts'
import { HISTORY_PAGE, type Rpc } from '../../lib/solana/rpc.ts'
import { exponentialBackoff } from '../../lib/transactions/confirmation/check-schedule.ts'
import { cred } from '../../schema/amounts.ts'
import { collectionsIn, messageOf, newIntent } from '../support/collections.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'

/* Collections that are hard to settle: nothing is proven of one, or the database refuses its outcome. */

const NOW = new Date('2026-11-22T10:00:00Z')
const MINUTE = 60_000
const at = (ms: number) => new Date(NOW.getTime() + ms)

let db: DrizzleDb
let close: () => Promise<void>
let made: ReturnType<typeof collectionsIn>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
  made = collectionsIn(db, NOW)
})
afterAll(() => close())

/** A node that knows no such signature, has passed the collection's last block, and lists these. */
const nodeThatLists = (history: Rpc['history']): Rpc =>
  ({
    statuses: async () => ({ slot: 9_000n, statuses: [undefined] }),
    finalizedBlock: async () => ({ slot: 9_000n, height: 9_000n }),
    history,
  }) as Partial<Rpc> as Rpc

const depsWith = (rpc: Rpc) => ({ db, rpc, now: at(MINUTE), feeStep: cred(1_000n) })

describe('a collection that a search did not prove', () => {
  it('is searched by one caller, again after as long as it has waited, at last daily', async () => {
    const { owner } = await made.charged(4n)
    const { id } = await made.signedCollection(owner)
    const take = (now: Date) => takeSearch(db, { id, nextSearch: exponentialBackoff(NOW, now), now })
    const taken = await Promise.all(Array.from({ length: 6 }, () => take(at(2 * MINUTE))))
    expect(taken.filter((searchedTo) => searchedTo === null)).toHaveLength(1)
    expect(taken.filter((searchedTo) => searchedTo === undefined)).toHaveLength(5)
    // Nobody asks anything of the chain about it before: no reader, no run of the jobs.
    expect((await leaseIntent(db, id, at(4 * MINUTE - 1))).lease).toBe(false)
    const ids = async (ms: number) => (await leaseDueIntents(db, at(ms), 1_000)).map((one) => one.id)
    expect(await ids(4 * MINUTE - 1)).not.toContain(id)
    expect(await ids(4 * MINUTE)).toContain(id)
    await paymentChecks.recordSearch(db, { id, searchedTo: 'account:before:seen', at: at(4 * MINUTE) })
    expect(await take(at(4 * MINUTE))).toBe('account:before:seen')
    expect(await take(at(8 * MINUTE - 1))).toBeUndefined()
    const days = 86_400_000
    expect(await take(at(10 * days))).not.toBeUndefined()
    const daily = Date.parse('2026-12-03T00:07:00Z') - NOW.getTime()
    expect(await take(at(daily - 1))).toBeUndefined()
    expect(await take(at(daily))).not.toBeUndefined()
  })

  it('is reported to an operator by job runs, unless the search was cut short', async () => {
    const { owner } = await made.charged(4n)
    const intent = await made.signedCollection(owner)
    const lines: string[] = []
    const alert = (line: string) => lines.push(line)
    const full = Array.from({ length: HISTORY_PAGE }, (_, i) => ({
      signature: `spam ${i}`,
      slot: 5_000n,
      hasFailed: false,
      memo: intent.id,
    }))
    const spammed = { ...nodeThatLists(async () => full), transaction: async () => 'AQ==' }
    await settle({ ...depsWith(spammed), alert }, [intent])
    expect(lines).toEqual([])
    await settle({ ...depsWith(nodeThatLists(async () => [])), alert }, [intent])
    expect(lines).toEqual([
      'AgentCred: the chain does not show whether a collection landed. Run: npm run payments -- unproven',
    ])
  })

  it('is listed for an operator, and settled by a node or the operator’s word', async () => {
    const { owner } = await made.charged(4n)
    const { id } = await made.signedCollection(owner)
    const listed = async () =>
      (await selectUnproven(db, { signedBefore: NOW, limit: 1_000 })).map((one) => one.id)
    expect(await listed()).toContain(id)
    const forgetful = depsWith(nodeThatLists(async () => []))
    expect(await settleUnproven(forgetful, id, { assumeExpired: false })).toBeUndefined()
    expect((await findIntent(db, id))?.status).toBe('open')
    expect(await settleUnproven(forgetful, id, { assumeExpired: true })).toBe('expired')
    expect((await made.dueOf(owner))[0]?.charges).toHaveLength(1)
    expect(await listed()).not.toContain(id)
    await expect(settleUnproven(forgetful, id, { assumeExpired: true })).rejects.toThrow(ApiError)
    const again = await made.signedCollection(owner)
    const older = { signature: 'older', slot: again.builtSlot - 1n, hasFailed: false, memo: undefined }
    const proving = depsWith(nodeThatLists(async () => [older]))
    expect(await settleUnproven(proving, again.id, { assumeExpired: false })).toBe('expired')
  })
})

describe('a purchase of credit that is searched for only after hours', () => {
  const HOURS = 120 * MINUTE
  /** A purchase that was signed, and was never sent. */
  async function purchased() {
    const intent = { ...newIntent(newWallet(), NOW), kind: 'buy_credit', credit: cred(5_000n) }
    await postgres.recordPaymentIntent.call(db, intent)
    await postgres.cosignPayment.call(db, messageOf(intent.id, intent.wallet, NOW))
    return (await findIntent(db, intent.id)) ?? expect.fail('no intent')
  }
  const settleBy = async (firstSlot: bigint, intent: Intent, now: Date) => {
    const rpc = { ...nodeThatLists(async () => []), firstSlot: async () => firstSlot }
    await settle({ ...depsWith(rpc), now }, [intent])
    return (await findIntent(db, intent.id))?.status
  }

  it('has expired when the node’s history reaches back to its building', async () => {
    const intent = await purchased()
    expect(await settleBy(intent.builtSlot, intent, at(HOURS))).toBe('expired')
  })

  it('stays open when the node may have forgotten it', async () => {
    const intent = await purchased()
    expect(await settleBy(intent.builtSlot + 1n, intent, at(HOURS))).toBe('open')
    expect(await settleBy(intent.builtSlot, intent, at(3 * HOURS))).toBe('expired')
  })
})

describe('an outcome that the database refuses', () => {
  /** Lets no charge of this hire be collected. */
  async function refuse(hireId: string) {
    await db.$client.query(`
      create function refuse_hire() returns trigger language plpgsql as $$
      begin
        if new.hire_id = '${hireId}' and new.status = 'collected' then
          raise exception 'not this one' using errcode = '22009';
        end if;
        return new;
      end $$`)
    await db.$client.query(
      'create trigger refuse_hire before update on charges for each row execute function refuse_hire()',
    )
    onTestFinished(async () => {
      await db.$client.query('drop function refuse_hire cascade')
    })
  }

  it('keeps none of the others waiting, and is named', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    const bad = await made.charged(4n)
    await refuse(bad.id)
    const intents: Intent[] = [await made.signedCollection(bad.owner)]
    for (let i = 0; i < 19; i += 1) {
      const { owner } = await made.charged(4n)
      intents.splice(i % 2, 0, await made.signedCollection(owner))
    }
    const outcomes = intents.map((intent) => ({ intent, kind: 'landed' as const }))
    const deps = depsWith(nodeThatLists(async () => []))
    expect(await recordAll(deps, outcomes)).toMatchObject({ settled: 19 })
    const statuses = await Promise.all(intents.map(async ({ id }) => (await findIntent(db, id))?.status))
    expect(statuses.filter((status) => status === 'landed')).toHaveLength(19)
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)))
    expect(lines).toEqual([
      expect.objectContaining({
        unrecordedOutcome: intents[statuses.indexOf('open')]?.id,
        reason: 'SQLSTATE 22009',
      }),
    ])
    const alone = outcomes.filter(({ intent }) => intent.wallet === bad.owner)
    await expect(recordAll(deps, alone)).rejects.toThrow()
  })
})
