import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IDENTIFIER_MS } from '../../lib/x402/rules.ts'
import { useDatabase } from '../support/database.ts'
import { at, payableAgent, type Signed, signed } from '../support/request-payments.ts'
import { runs } from '../support/runs.ts'
import { newWallet } from '../support/stored-agents.ts'

/* The extension payment-identifier: of the payments with one id of a payer at an agent, one moves tokens. */

const database = useDatabase()

type Agent = Awaited<ReturnType<typeof payableAgent>>
type Held = Awaited<ReturnType<Agent['settle']>>
/** A message that the client has signed, and whether the network takes it once it is sent. */
type Message = Signed & { lands: boolean }

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const DAY = 86_400

describe('one identifier', () => {
  const identified = (changes: Partial<Signed> = {}) =>
    signed({ identifierHash: hash('purchase'), ...changes })

  it('is recorded once when fifty messages with it are settled at once', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const messages = Array.from({ length: 50 }, () => identified({ payer }))
    const held = await Promise.all(messages.map((message) => agent.settle(message, at(0))))
    const outcomes = held.map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual([...Array(49).fill('identifier_used'), 'recorded'])
    const first = messages[outcomes.indexOf('recorded')]
    for (const one of held) expect(one.networkSignature).toBe(`signature of ${first?.messageHash}`)
    expect(held.filter(({ id, transaction }) => id !== null || transaction !== null)).toHaveLength(1)
  })

  it('is each payer’s and each agent’s own, and stops no payment without one', async () => {
    const [agent, other] = [await payableAgent(database.db), await payableAgent(database.db)]
    const payer = newWallet()
    const settle = async (of: Agent, changes: Partial<Signed>) =>
      (await of.settle(identified(changes), at(0))).outcome
    expect(await settle(agent, { payer })).toBe('recorded')
    expect(await settle(agent, { payer })).toBe('identifier_used')
    expect(await settle(other, { payer })).toBe('recorded')
    expect(await settle(agent, {})).toBe('recorded')
    expect(await settle(agent, { payer, identifierHash: hash('another') })).toBe('recorded')
    const without = signed({ payer: newWallet() })
    for (let count = 0; count < 2; count++)
      expect(
        (await agent.settle({ ...without, messageHash: hash(`${count} ${payer}`) }, at(0))).outcome,
      ).toBe('recorded')
  })

  it('is free again after its payment expired or failed, or 30 days after one that settled', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    const settle = (seconds: number) => agent.settle(identified({ payer }), at(seconds))
    await agent.record([await settle(0)], 'expired', at(91))
    await agent.record([await settle(100)], 'failed', at(191))
    const paid = await settle(200)
    await agent.record([paid], 'settled', at(291))
    const end = 200 + IDENTIFIER_MS / 1000
    expect(await agent.verify(identified({ payer }), at(end - 1))).toBe('identifier_used')
    expect((await settle(end - 1)).outcome).toBe('identifier_used')
    expect(await agent.verify(identified({ payer }), at(end))).toBe('valid')
    expect((await settle(end)).outcome).toBe('recorded')
    expect((await settle(end + DAY)).outcome).toBe('identifier_used')
  })

  it('is refused for the same message as a repetition, not by its id', async () => {
    const agent = await payableAgent(database.db)
    const message = identified()
    const held = await agent.settle(message, at(0))
    expect((await agent.settle(message, at(1))).outcome).toBe('duplicate')
    await agent.answer(held, 'pending', at(20))
    expect((await agent.settle(message, at(21))).outcome).toBe('resumed')
  })

  it('is a constraint, too', async () => {
    const agent = await payableAgent(database.db)
    const payer = newWallet()
    await agent.settle(identified({ payer }), at(0))
    await agent.settle(signed({ payer }), at(0))
    await expect(
      database.rows(
        'update request_payments set identifier_hash = $2 where payer = $1',
        payer,
        hash('purchase'),
      ),
    ).rejects.toThrow('request_payments_by_identifier')
  })

  it('tells nothing to a former key', async () => {
    const agent = await payableAgent(database.db)
    const message = identified()
    await agent.settle(message, at(0))
    const again = { ...message, messageHash: hash(message.messageHash) }
    const former = await agent.settle(again, at(1), { keyVersion: 1 })
    expect([former.outcome, former.networkSignature]).toEqual(['key_ended', null])
  })
})

describe('a client that signs again after a time-out', () => {
  const nat = fc.nat(1 << 16)
  /** Steps: calls that begin together. */
  const history = fc.array(fc.array(fc.tuple(nat, nat, nat), { minLength: 1, maxLength: 3 }), {
    minLength: 2,
    maxLength: 6,
  })

  /**
   * Plays a history of one purchase: new signatures, repetitions of old ones, answers that are lost or late,
   * and the job that records outcomes. Then the client asks until it knows that it has paid.
   * @returns the number of transfers on the chain
   */
  async function play(
    agent: Agent,
    steps: [number, number, number][][],
    identifierHash: string | undefined,
  ): Promise<number> {
    const [payer, source] = [newWallet(), newWallet()]
    const messages: Message[] = []
    const held = new Map<string, { call: Held; message: Message }>()
    const transfers = new Set<string>()
    const sign = (lands: boolean): Message => {
      const changes: Partial<Signed> = { payer, source, ...(identifierHash && { identifierHash }) }
      const message = { ...signed(changes), lands }
      messages.push(message)
      return message
    }
    const settle = async (message: Message, now: Date): Promise<Held> => {
      const { lands, ...sent } = message
      const call = await agent.settle(sent, now)
      if (call.outcome === 'recorded' || call.outcome === 'resumed') {
        held.set(message.messageHash, { call, message })
        if (lands) transfers.add(message.messageHash)
      }
      if (call.outcome === 'identifier_used')
        expect(messages.map(({ messageHash }) => `signature of ${messageHash}`)).toContain(
          call.networkSignature,
        )
      return call
    }
    const outcomeOf = ({ lands }: Message) => (lands ? 'settled' : 'expired')
    let seconds = 0
    for (const step of steps) {
      const now = at(seconds)
      await Promise.all(
        step.map(async ([what, which, how]) => {
          const old = messages[which % Math.max(messages.length, 1)]
          const known = old && held.get(old.messageHash)
          // A call without a later answer is a lost one. Only the job sees that a payment expired.
          if (what % 4 === 0 || !old) await settle(sign(how % 3 > 0), now)
          else if (what % 4 === 1) await settle(old, now)
          else if (known && what % 4 === 2)
            await agent.answer(known.call, how % 2 && old.lands ? 'settled' : 'pending', now)
          else if (known && seconds > 90) await agent.record([known.call], outcomeOf(old), now)
        }),
      )
      seconds += 1 + ((step[0]?.[2] ?? 0) % 120)
    }
    // A client that keeps asking: the job sees the outcomes meanwhile, and its last payment lands.
    for (let attempt = 0; ; attempt++) {
      expect(attempt).toBeLessThan(3)
      seconds += 200
      for (const { call, message } of held.values())
        await agent.record([call], outcomeOf(message), at(seconds))
      const call = await settle(sign(true), at(seconds + 1))
      if (call.outcome === 'identifier_used') break
      if (call.outcome === 'recorded' && (await agent.answer(call, 'settled', at(seconds + 2))) === 'settled')
        break
    }
    expect(await settled(payer)).toBe(transfers.size)
    return transfers.size
  }

  const settled = async (payer: string) =>
    Number(
      (
        await database.rows(
          "select count(*) from request_payments where payer = $1 and status = 'settled'",
          payer,
        )
      )[0]?.[0],
    )

  it('pays once with one identifier, in any history of lost and late answers', async () => {
    const agents = await Promise.all(
      Array.from({ length: 8 }, () => payableAgent(database.db, { credit: 10n ** 15n })),
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const agent = agents[count++ % agents.length] as Agent
        expect(await play(agent, steps, hash('the purchase'))).toBe(1)
      }),
      { numRuns: runs(100, 1_000) },
    )
  })

  it('pays more than once in some of them without an identifier', async () => {
    const agent = await payableAgent(database.db, { credit: 10n ** 15n })
    const transfers: number[] = []
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        transfers.push(await play(agent, steps, undefined))
      }),
      { numRuns: 50 },
    )
    expect(transfers.filter((times) => times > 1).length).toBeGreaterThan(10)
  })
})
