import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../../lib/solana/address.ts'
import { position, treasury } from '../../support/cosigning.ts'
import {
  addWritable,
  indexIn,
  insertKey,
  type RawMessage,
  rawOf,
  signedRaw,
  writeRaw,
} from '../../support/raw-message.ts'
import { runs } from '../../support/runs.ts'
import {
  authorityKey,
  COMPUTE_BUDGET,
  claim,
  faultOf,
  LIGHTHOUSE,
  messageOf,
  owner,
  stack,
  vaultOpening,
} from '../../support/tampering.ts'
import { createWallet, PHANTOM, type WalletHabits } from '../../support/wallets.ts'

const habits: WalletHabits[] = [{}, PHANTOM, { version: 0 }, { ...PHANTOM, version: 0 }]
/** What was recorded, and what each wallet makes of it. */
const scenes = [stack, claim, vaultOpening].flatMap((recorded) =>
  habits.map((habit) => ({ recorded, raw: rawOf(messageOf(createWallet(owner, habit).sign(recorded))) })),
)

/** The check's word, which is the oracle's as well. */
const verdictOn = async (recorded: string, given: string): Promise<boolean> =>
  (await faultOf(recorded, given)) === undefined

/** One change of a message; the numbers choose where and to what. */
type Mutation = (message: RawMessage, a: number, b: number, c: number) => void

const pick = <Item>(items: Item[], index: number): Item => items[index % items.length] as Item
const strangers = [31, 32, 33].map((byte) => addressOf(new Uint8Array(32).fill(byte)))
/** Accounts that an attacker would like to see in other places. */
const someone = (message: RawMessage, index: number): string =>
  pick([...strangers, ...message.keys, authorityKey, position, treasury], index)
const swap = <Item>(items: Item[], a: number, b: number): void => {
  const [one, other] = [pick(items, a), pick(items, b)]
  items[a % items.length] = other
  items[b % items.length] = one
}

const mutations: Record<string, Mutation> = {
  header: ({ header }, a, b) => {
    header[a % 3] = ((header[a % 3] ?? 0) + pick([1, 255, 2, 254, b], b)) & 255
  },
  replaceKey: (message, a, b) => {
    message.keys[a % message.keys.length] = someone(message, b)
  },
  swapKeys: ({ keys }, a, b) => swap(keys, a, b),
  /** Accounts change places, and every index with them. */
  moveAccount: (message, a, b) => {
    const places = message.keys.map((_, index) => index)
    swap(places, a, b)
    swap(message.keys, a, b)
    for (const one of message.instructions) {
      one.program = places[one.program] ?? one.program
      one.accounts = one.accounts.map((index) => places[index] ?? index)
    }
  },
  addReadonly: (message, a) => void indexIn(message, someone(message, a)),
  addWritable: (message, a) => void addWritable(message, someone(message, a)),
  addSigner: (message, a, b) => {
    insertKey(message, someone(message, a), b % (message.header[0] + 1))
    message.header[0] += 1
    if (a % 2) message.header[1] += 1
  },
  dropKey: (message, a) => void message.keys.splice(a % message.keys.length, 1),
  swapInstructions: ({ instructions }, a, b) => swap(instructions, a, b),
  repeatInstruction: ({ instructions }, a, b) =>
    void instructions.splice(b % (instructions.length + 1), 0, structuredClone(pick(instructions, a))),
  dropInstruction: ({ instructions }, a) => void instructions.splice(a % instructions.length, 1),
  changeProgram: (message, a, b) => {
    const one = pick(message.instructions, a)
    one.program = pick([b % message.keys.length, indexIn(message, LIGHTHOUSE), b % 256], b)
  },
  changeAccount: (message, a, b, c) => {
    const { accounts } = pick(message.instructions, a)
    if (accounts.length > 0) accounts[b % accounts.length] = c % (message.keys.length + 1)
  },
  addAccount: (message, a, b, c) => {
    const { accounts } = pick(message.instructions, a)
    accounts.splice(b % (accounts.length + 1), 0, c % (message.keys.length + 1))
  },
  dropAccount: ({ instructions }, a, b) => {
    const { accounts } = pick(instructions, a)
    accounts.splice(b % (accounts.length || 1), 1)
  },
  changeData: ({ instructions }, a, b, c) => {
    const { data } = pick(instructions, a)
    if (data.length > 0) data[b % data.length] = c & 255
  },
  appendData: ({ instructions }, a, b) => void pick(instructions, a).data.push(b & 255),
  dropData: ({ instructions }, a) => void pick(instructions, a).data.pop(),
  addGuard: (message, a, b, c) => {
    const accounts = c % 3 ? [indexIn(message, someone(message, b))] : []
    insertAt(message, a, LIGHTHOUSE, accounts, [b % 24, ...new Uint8Array(c % 20)])
  },
  addGuards: (message, a, b) => {
    for (let count = b % 10; count > 0; count -= 1) insertAt(message, a, LIGHTHOUSE, [0], [2 + (a % 16)])
  },
  addForeign: (message, a, b, c) => {
    insertAt(message, a, someone(message, b), [c % message.keys.length, a % message.keys.length], [c & 255])
  },
  addBudget: (message, a, b, c) => {
    const value = [c & 255, (c >> 8) & 255, (c >> 16) & 31, 0, 0, 0, 0, 0]
    const data = pick(
      [
        [2, ...value.slice(0, 4)],
        [3, ...value],
        [1, ...value.slice(0, 4)],
        [b & 255, ...value],
      ],
      b,
    )
    insertAt(message, a, COMPUTE_BUDGET, [], data)
  },
  dropBudget: (message) => {
    const budget = message.keys.indexOf(COMPUTE_BUDGET)
    message.instructions = message.instructions.filter(({ program }) => program !== budget)
  },
  changeBlockhash: (message, a) => {
    message.blockhash = pick(strangers, a)
  },
  changeVersion: (message, a) => {
    message.version = pick([undefined, 0x80, 0x81, 0xff], a)
    message.tail = message.version === undefined ? [] : [0]
  },
  changeTail: (message, a) => {
    message.tail = pick([[0], [0, 0], [1], [0x80, 0], []], a)
  },
}

function insertAt(message: RawMessage, at: number, key: string, accounts: number[], data: number[]): void {
  const instruction = { program: indexIn(message, key), accounts, data }
  message.instructions.splice(at % (message.instructions.length + 1), 0, instruction)
}

const changes = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(mutations)), fc.nat(1 << 24), fc.nat(1 << 24), fc.nat(1 << 24)),
  { minLength: 1, maxLength: 3 },
)

describe('a message that its owner has changed and signed', () => {
  it('is cosigned only if the rule, said a second time on kit’s reading, allows it', async () => {
    const numRuns = runs(250, 5_000)
    const seen = { cosigned: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scenes), changes, async (scene, list) => {
        const { recorded, raw } = structuredClone(scene)
        for (const [name, a, b, c] of list) mutations[name]?.(raw, a, b, c)
        const isCosigned = await verdictOn(recorded, signedRaw(owner, writeRaw(raw), raw.header[0]))
        seen[isCosigned ? 'cosigned' : 'refused'] += 1
      }),
      { numRuns },
    )
    // Neither answer is a matter of course.
    expect(seen.cosigned).toBeGreaterThan(numRuns / 20)
    expect(seen.refused).toBeGreaterThan(numRuns / 2)
  })

  it.each(Object.keys(mutations))('by %s alone, likewise', async (name) => {
    const numbers = fc.nat(1 << 24)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...scenes),
        fc.tuple(numbers, numbers, numbers),
        async (scene, [a, b, c]) => {
          const { recorded, raw } = structuredClone(scene)
          mutations[name]?.(raw, a, b, c)
          await verdictOn(recorded, signedRaw(owner, writeRaw(raw), raw.header[0]))
        },
      ),
      { numRuns: runs(15, 300) },
    )
  })
})

describe('every byte of a signed transaction', () => {
  it.each([0x01, 0xff])('changed by %d is refused under the old signature', async (mask) => {
    const recorded = claim
    const signed = Buffer.from(createWallet(owner, PHANTOM).sign(recorded), 'base64')
    for (let at = 0; at < signed.length; at += 1) {
      const changed = Buffer.from(signed)
      changed[at] = (changed[at] ?? 0) ^ mask
      expect(await verdictOn(recorded, changed.toString('base64')), `byte ${at}`).toBe(false)
    }
  })

  it.each([0x01, 0xff])(
    'changed by %d and signed anew is cosigned where the rule allows it',
    async (mask) => {
      const recorded = claim
      const message = messageOf(createWallet(owner, PHANTOM).sign(recorded))
      let cosigned = 0
      for (let at = 0; at < message.length; at += 1) {
        const changed = new Uint8Array(message)
        changed[at] = (changed[at] ?? 0) ^ mask
        if (await verdictOn(recorded, signedRaw(owner, changed, 2))) cosigned += 1
      }
      // The blockhash, and what guards and the compute budget say.
      expect(cosigned).toBeGreaterThan(32)
    },
  )

  it('left out, or given twice, is refused', async () => {
    const recorded = claim
    const message = messageOf(createWallet(owner, PHANTOM).sign(recorded))
    for (let at = 0; at <= message.length; at += 1) {
      const without = new Uint8Array([...message.subarray(0, at), ...message.subarray(at + 1)])
      const twice = new Uint8Array([...message.subarray(0, at + 1), ...message.subarray(at)])
      if (at < message.length) await verdictOn(recorded, signedRaw(owner, without, 2))
      expect(await verdictOn(recorded, signedRaw(owner, twice, 2)), `byte ${at}`).toBe(at === message.length)
    }
  })
})
