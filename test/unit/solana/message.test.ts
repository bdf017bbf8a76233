import { base58 } from '@scure/base'
import {
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  address as kit,
  blockhash as kitBlockhash,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { PublicKey, Transaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, addressOf } from '../../../lib/solana/address.ts'
import { compactLength, compileMessage, leadingAddresses } from '../../../lib/solana/message.ts'
import { decodeTransaction, encodeTransaction, transactionSize } from '../../../lib/solana/transaction.ts'
import { scenes } from '../../support/arbitraries.ts'

describe('a compiled message', () => {
  it('is what web3.js compiles, signers in the same order', () =>
    fc.assert(
      fc.property(scenes, ({ feePayer, instructions, blockhash }) => {
        const expected = new Transaction({
          feePayer: new PublicKey(feePayer),
          blockhash,
          lastValidBlockHeight: 1,
        })
        for (const { program, accounts, data } of instructions) {
          expected.add({
            programId: new PublicKey(program),
            keys: accounts.map(({ address, ...role }) => ({ pubkey: new PublicKey(address), ...role })),
            data: Buffer.from(data),
          })
        }
        const message = expected.compileMessage()
        const actual = compileMessage(feePayer, instructions, blockhash)
        expect(actual.bytes).toEqual(new Uint8Array(message.serialize()))
        const signers = message.accountKeys.slice(0, message.header.numRequiredSignatures)
        expect(actual.signers).toEqual(signers.map((signer) => signer.toBase58()))
        expect(leadingAddresses(actual.bytes, actual.signers.length)).toEqual(actual.signers)
      }),
      { numRuns: 300 },
    ))

  it('has the order of web3.js where addresses differ in the case of letters alone', () => {
    const seed = base58.encode(new Uint8Array(32).fill(7))
    const swapped = (text: string, at: number) => {
      const letter = text[at] as string
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      return text.slice(0, at) + other + text.slice(at + 1)
    }
    const isAddress = (text: string) => !/[0OIl]/.test(text) && base58.decode(text).length === 32
    const places = [...seed].flatMap((letter, at) => (/[a-z]/i.test(letter) && at > 0 ? [at] : []))
    const pairs = places.flatMap((at, i) => [
      swapped(seed, at),
      swapped(swapped(seed, at), places[i - 1] ?? at),
    ])
    const addresses = [...new Set([seed, ...pairs])].filter(isAddress)
    expect(addresses.length).toBeGreaterThan(30)
    const payer = addressOf(new Uint8Array(32).fill(3))
    const accounts = addresses.map((text) => ({
      address: text as Address,
      isSigner: false,
      isWritable: true,
    }))
    const { bytes } = compileMessage(payer, [{ program: payer, accounts, data: new Uint8Array() }], payer)
    const expected = new Transaction({
      feePayer: new PublicKey(payer),
      blockhash: payer,
      lastValidBlockHeight: 1,
    })
    const keys = accounts.map(({ address, ...role }) => ({ pubkey: new PublicKey(address), ...role }))
    expected.add({ programId: new PublicKey(payer), keys, data: Buffer.alloc(0) })
    expect(bytes).toEqual(new Uint8Array(expected.compileMessage().serialize()))
  })

  it('keeps its bytes when kit decompiles and compiles it again', () =>
    fc.assert(
      fc.property(scenes, ({ feePayer, instructions, blockhash }) => {
        const { bytes } = compileMessage(feePayer, instructions, blockhash)
        const apart = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(bytes))
        const again = pipe(
          createTransactionMessage({ version: 'legacy' }),
          (message) => setTransactionMessageFeePayer(kit(feePayer), message),
          (message) =>
            setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: kitBlockhash(blockhash), lastValidBlockHeight: 1n },
              message,
            ),
          (message) => appendTransactionMessageInstructions(apart.instructions, message),
        )
        const compiled = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(again))
        expect(new Uint8Array(compiled)).toEqual(bytes)
      }),
    ))

  it.each([
    [0, [0]],
    [0x7f, [0x7f]],
    [0x80, [0x80, 1]],
    [0x3fff, [0xff, 0x7f]],
    [0x4000, [0x80, 0x80, 1]],
  ])('writes the length %d as compact-u16', (length, bytes) => {
    expect(compactLength(length)).toEqual(bytes)
  })
})

describe('a transaction on the wire', () => {
  const payer = addressOf(new Uint8Array(32).fill(3))
  const { bytes: message } = compileMessage(payer, [], payer)
  const transaction = { signatures: [new Uint8Array(64).fill(9)], message }

  it('decodes to what was encoded, and is as long as stated', () => {
    const text = encodeTransaction(transaction)
    expect(decodeTransaction(text)).toEqual(transaction)
    expect(Buffer.from(text, 'base64')).toHaveLength(transactionSize(transaction))
  })

  it.each([
    ['nothing', ''],
    ['no Base64', '!!!!'],
    ['Base64 without its padding', encodeTransaction(transaction).replace(/=+$/, '').slice(0, -1)],
    ['signatures cut short', Buffer.from(new Uint8Array(40).fill(1)).toString('base64')],
    ['no signature', Buffer.from(new Uint8Array(200)).toString('base64')],
    [
      'one signature more than its message asks for',
      encodeTransaction({ ...transaction, signatures: [...transaction.signatures, new Uint8Array(64)] }),
    ],
    ['more than 1,232 bytes', encodeTransaction({ ...transaction, message: new Uint8Array(1232).fill(1) })],
    ['a text of a megabyte', 'AAAA'.repeat(250_000)],
  ])('is not decoded from %s', (_, text) => {
    expect(decodeTransaction(text)).toBeUndefined()
  })
})
