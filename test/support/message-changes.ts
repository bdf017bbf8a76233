import { addressOf } from '../../lib/solana/address.ts'
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { addWritable, indexIn, insertKey, type RawMessage } from './raw-message.ts'

/* The changes of a message before it is signed. */

/** One change of a message; the numbers choose where and to what. */
type Mutation = (message: RawMessage, a: number, b: number, c: number) => void

export const pick = <Item>(items: Item[], index: number): Item => items[index % items.length] as Item
const strangers = [31, 32, 33].map((byte) => addressOf(new Uint8Array(32).fill(byte)))
const swap = <Item>(items: Item[], a: number, b: number): void => {
  const [one, other] = [pick(items, a), pick(items, b)]
  items[a % items.length] = other
  items[b % items.length] = one
}

/**
 * Changes of a message by name.
 * @param others accounts that an attacker would like to see in other places, beside the message's own
 */
export const mutationsWith = (others: string[]): Record<string, Mutation> => {
  const someone = (message: RawMessage, index: number): string =>
    pick([...strangers, ...message.keys, ...others], index)
  return {
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
      one.program = pick([b % message.keys.length, indexIn(message, LIGHTHOUSE_PROGRAM), b % 256], b)
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
      insertAt(message, a, LIGHTHOUSE_PROGRAM, accounts, [b % 24, ...new Uint8Array(c % 20)])
    },
    addGuards: (message, a, b) => {
      for (let count = b % 10; count > 0; count -= 1)
        insertAt(message, a, LIGHTHOUSE_PROGRAM, [0], [2 + (a % 16)])
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
      insertAt(message, a, COMPUTE_BUDGET_PROGRAM, [], data)
    },
    dropBudget: (message) => {
      const budget = message.keys.indexOf(COMPUTE_BUDGET_PROGRAM)
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
}

function insertAt(message: RawMessage, at: number, key: string, accounts: number[], data: number[]): void {
  const instruction = { program: indexIn(message, key), accounts, data }
  message.instructions.splice(at % (message.instructions.length + 1), 0, instruction)
}
