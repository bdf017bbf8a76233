import { utf8 } from '../../keys/bytes.ts'
import type { Address } from '../address.ts'
import { type Instruction, signer } from '../instruction.ts'
import type { Message } from '../message.ts'
import { MEMO_PROGRAM } from './programs.ts'

/**
 * Writes a text into the transaction's log, signed by `by`. From spl-memo: the data is the text's UTF-8, the
 * accounts its signers.
 */
export const memo = (text: string, by: Address): Instruction => ({
  program: MEMO_PROGRAM,
  accounts: [signer(by)],
  data: utf8(text),
})

/** Reads the memo that this key has signed; undefined if the message has none, or more than one. */
export function memoSignedBy({ instructions }: Message, by: Address): string | undefined {
  const [text, ...others] = instructions.filter(
    ({ program, accounts }) =>
      program === MEMO_PROGRAM && accounts.some(({ address, isSigner }) => address === by && isSigner),
  )
  return text && others.length === 0 ? new TextDecoder().decode(text.data) : undefined
}
