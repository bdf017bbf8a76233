import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgentCredError } from '../../../../lib/client/index.ts'
import { verify } from '../../../../lib/client/verify/verify.ts'
import { decodeMessage } from '../../../../lib/solana/decode-message.ts'
import type { Instruction } from '../../../../lib/solana/instruction.ts'
import { associatedTokenAddress } from '../../../../lib/solana/programs/associated-token.ts'
import { type BuiltFlow, buildAll, factsOf, mint, wallet } from '../../../support/built-transactions.ts'
import { mutationsWith } from '../../../support/message-changes.ts'
import { type RawMessage, rawOf, writeRaw } from '../../../support/raw-message.ts'
import { runs } from '../../../support/runs.ts'
import { messageOf } from '../../../support/tampering.ts'

/* Real transactions, changed by a host: each is refused, or moves the same things. */

// Without an owner, a funding may approve anybody (README.md of lib/client/verify).
const all = [...(await buildAll(1)), ...(await buildAll(2))].filter(({ name }) => !name.includes('no owner'))
const own = await associatedTokenAddress(wallet, mint)
const facts = factsOf(2)
const mutations = mutationsWith([own, wallet])

const wire = (message: RawMessage): Uint8Array =>
  new Uint8Array([message.header[0], ...new Uint8Array(64 * message.header[0]), ...writeRaw(message)])

const SYSTEM = '11111111111111111111111111111111'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/**
 * What an instruction moves, said a second time: destinations, delegates, owners, and all that leaves the
 * wallet's own account. An order leaves the rest to the service: prices, ids, rents below the network's,
 * which accounts pay the wallet, and whether they are closed.
 */
function moved({ program, accounts, data }: Instruction): string {
  const names = accounts.map(({ address }) => address)
  if (program === COMPUTE_BUDGET) return `budget ${data[0]}`
  if (program === MEMO) return `memo by ${names}`
  if (program === SYSTEM) return `system ${data[0]}${data[0] === 3 ? '' : ` ${names}`}`
  const [source, , destination, approver] = names
  if (data[0] === 9) return `rent to ${names.slice(1)}`
  if (data[0] !== 12) return data[0] === 18 ? `owner ${data.slice(1, 33)}` : `token ${names} ${data}`
  if (destination === own) return `to the wallet, by ${names.slice(3)}`
  if (source === own) return `${data} to ${approver === wallet ? 'the order’s' : names}`
  return `token ${names.slice(2)}`
}

function effectsOf(message: Uint8Array): string[] {
  const decoded = decodeMessage(message)
  if (!decoded.ok) throw new Error('the client has accepted bytes that are no message')
  return decoded.message.instructions.map(moved)
}

/** Asserts that a changed message moves nothing that the real one does not. */
function expectNothingElse(changed: Uint8Array, { transaction, name }: BuiltFlow): void {
  const left = effectsOf(messageOf(transaction))
  for (const effect of effectsOf(changed)) {
    expect(left, name).toContain(effect)
    left.splice(left.indexOf(effect), 1)
  }
  // It pays all that was ordered.
  expect(left.filter((effect) => / to (the order|token)|owner|budget|memo/.test(effect))).toEqual([])
}

/** @returns whether the changed transaction passes */
function verdictOn(built: BuiltFlow, raw: RawMessage): boolean {
  const { order, name } = built
  const bytes = wire(raw)
  try {
    verify(order, bytes, wallet, facts)
  } catch (error) {
    expect(error, name).toBeInstanceOf(AgentCredError)
    expect(error).toMatchObject({ code: 'transaction_unexpected' })
    return false
  }
  expectNothingElse(writeRaw(raw), built)
  return true
}

const number = fc.nat(1 << 24)
const change = fc.tuple(fc.constantFrom(...Object.keys(mutations)), number, number, number)

function changed({ transaction }: BuiltFlow, list: [string, number, number, number][]): RawMessage {
  const raw = rawOf(messageOf(transaction))
  for (const [name, a, b, c] of list) mutations[name]?.(raw, a, b, c)
  return raw
}

describe('a transaction that a host has changed', () => {
  it('is refused, or moves the same things', () => {
    const seen = { passed: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (built, list) => {
          const passes = verdictOn(built, changed(built, list))
          seen[passes ? 'passed' : 'refused'] += 1
        },
      ),
      { numRuns: runs(300, 30_000) },
    )
    expect(seen.passed).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
  })

  it.each(Object.keys(mutations))('by %s alone, likewise', (name) => {
    fc.assert(
      fc.property(fc.constantFrom(...all), number, number, number, (built, a, b, c) => {
        verdictOn(built, changed(built, [[name, a, b, c]]))
      }),
      { numRuns: runs(20, 2_000) },
    )
  })

  it('in any one byte, likewise', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), number, fc.integer({ min: 1, max: 255 }), (built, at, by) => {
        const bytes = wire(rawOf(messageOf(built.transaction)))
        const index = at % bytes.length
        bytes[index] = (bytes[index] as number) ^ by
        try {
          verify(built.order, bytes, wallet, facts)
        } catch (error) {
          expect(error).toMatchObject({ code: 'transaction_unexpected' })
          return
        }
        const message = bytes.slice(1 + 64 * (bytes[0] as number))
        expectNothingElse(message, built)
      }),
      { numRuns: runs(300, 30_000) },
    )
  })

  it('by a byte that follows is refused', () => {
    for (const { order, transaction } of all) {
      const bytes = wire(rawOf(messageOf(transaction)))
      for (const tail of [[0], [1], [0, 0]])
        expect(() => verify(order, new Uint8Array([...bytes, ...tail]), wallet, facts)).toThrow('malformed')
    }
  })
})
