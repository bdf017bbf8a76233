import { sha256Hex } from '../keys/bytes.ts'

/** Computes the stored hash of a code: SHA-256 of its canonical spelling, in hexadecimal. */
export const codeHash = (code: string): Promise<string> => sha256Hex(code)
