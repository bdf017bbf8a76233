import {
  AccountRole,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  type Instruction,
} from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMessage } from '../../../lib/solana/decode-message.ts'
import { compileMessage, encodeMessage } from '../../../lib/solana/message.ts'
import { scenes } from '../../support/arbitraries.ts'

describe('a decoded message', () => {
  it('is what kit reads, in both versions, and encodes to the same bytes', () =>
    fc.assert(
      fc.property(scenes, fc.boolean(), ({ feePayer, instructions, blockhash }, isLegacy) => {
        const legacy = compileMessage(feePayer, instructions, blockhash).bytes
        const bytes = isLegacy ? legacy : new Uint8Array([0x80, ...legacy, 0])
        const decoded = decodeMessage(bytes)
        if (!decoded.ok) throw new Error(decoded.error)
        const { message } = decoded
        expect(encodeMessage(message)).toEqual(bytes)
        const compiled = getCompiledTransactionMessageDecoder().decode(bytes)
        expect(message.version).toBe(compiled.version)
        expect(message.blockhash).toBe(compiled.lifetimeToken)
        expect(message.accounts.map(({ address }) => address)).toEqual(compiled.staticAccounts)
        const expected: readonly Instruction[] = decompileTransactionMessage(compiled).instructions
        expect(message.instructions).toEqual(
          expected.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
            program: programAddress,
            accounts: accounts.map(({ address, role }) => ({
              address,
              isSigner: role >= AccountRole.READONLY_SIGNER,
              isWritable: role % 2 === 1,
            })),
            data: new Uint8Array(data),
          })),
        )
      }),
      { numRuns: 200 },
    ))

  it('encodes to the bytes that it was read from', () =>
    fc.assert(
      fc.property(
        scenes,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        ({ feePayer, instructions, blockhash }, changes, isLegacy) => {
          const legacy = compileMessage(feePayer, instructions, blockhash).bytes
          const bytes = isLegacy ? legacy : new Uint8Array([0x80, ...legacy, 0])
          for (const [at, value] of changes) bytes[at % bytes.length] = value
          const decoded = decodeMessage(bytes)
          if (decoded.ok) expect(encodeMessage(decoded.message)).toEqual(bytes)
        },
      ),
      { numRuns: 1_000 },
    ))

  it('is never made of invalid bytes', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1232 }), (bytes) => {
        const decoded = decodeMessage(bytes)
        if (decoded.ok) expect(encodeMessage(decoded.message)).toEqual(bytes)
      }),
      { numRuns: 1_000 },
    ))
})
