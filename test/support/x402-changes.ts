import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { mutationsWith, pick } from './message-changes.ts'
import { indexIn, type RawMessage } from './raw-message.ts'
import { destination, keyOf, mint, otherMint, owner, stranger } from './x402.ts'

/** Changes of a payment's message, each by three numbers. */
export const paymentChanges = {
  ...mutationsWith([
    ...[owner, stranger].map(keyOf),
    ...[mint, otherMint, destination, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM],
  ]),
  /** The members of the transfer, to others that would do for the reference. */
  changeTransfer: ({ instructions }: RawMessage, a: number, b: number) => {
    const data = instructions[2]?.data
    if (data && data.length > 1) data[1 + (a % (data.length - 1))] = b & 255
  },
  changeFee: ({ instructions }: RawMessage, a: number, b: number) => {
    const one = instructions[a % 2]
    if (one && one.data.length > 2) one.data[1 + (b % 3)] = (a >> 8) & 255
  },
  addMemo: (message: RawMessage, a: number, b: number, c: number) => {
    const accounts = pick([[], [], [1], [0], [c % message.keys.length]], b)
    message.instructions.push({ program: indexIn(message, MEMO_PROGRAM), accounts, data: [48 + (a % 10)] })
  },
  addAssertion: (message: RawMessage, a: number, b: number, c: number) => {
    const accounts = pick([[1], [1, 2], [c % message.keys.length]], b)
    message.instructions.push({ program: indexIn(message, LIGHTHOUSE_PROGRAM), accounts, data: [a % 20, 0] })
  },
}
