import { utf8 } from '../../keys/bytes.ts'
import type { Address } from '../address.ts'
import { type Instruction, signer } from '../instruction.ts'
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
