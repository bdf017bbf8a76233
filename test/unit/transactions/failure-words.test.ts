import { expect, it } from 'vitest'
import { type Address, addressOf } from '../../../lib/solana/address.ts'
import { compileMessage } from '../../../lib/solana/message.ts'
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../lib/solana/programs/compute-budget.ts'
import { createAccountWithSeed, transfer } from '../../../lib/solana/programs/system.ts'
import { encodeTransaction } from '../../../lib/solana/transaction.ts'
import { failureWords } from '../../../lib/transactions/relay/network.ts'

it.each([
  ['{"InstructionError":[2,{"Custom":17}]}', 'the mint’s freeze authority has frozen an account'],
  ['{"InstructionError":[3,{"Custom":4}]}', 'a signer is neither an account’s owner'],
  ['{"InstructionError":[3,{"Custom":1}]}', 'an account’s balance or allowance is too low'],
  ['{"InstructionError":[0,{"Custom":0}]}', 'an account has too little SOL for its rent'],
  ['Error processing Instruction 2: custom program error: 0x11', 'the mint’s freeze authority'],
  ['{"InstructionError":[0,"MissingRequiredSignature"]}', 'a signature is missing'],
  ['Error processing Instruction 0: missing required signature for instruction', 'a signature is missing'],
  ['"InsufficientFundsForFee"', 'the wallet can’t pay the network fee'],
  [
    'Attempt to debit an account but found no record of a prior credit.',
    'the wallet can’t pay the network fee',
  ],
  ['"AccountNotFound"', 'the wallet can’t pay the network fee'],
  ['{"InsufficientFundsForRent":{"account_index":1}}', 'an account would have too little SOL for its rent'],
])('explains %s, and keeps it in the explanation', (failure, words) => {
  expect(failureWords(failure, '')).toMatch(new RegExp(`^${words}`))
  expect(failureWords(failure, '')).toContain(`(${failure})`)
})

it.each([
  '{"InstructionError":[1,{"Custom":6001}]}',
  '"ClusterMaintenance"',
  '{"InstructionError":[1,"InvalidArgument"]}',
])('leaves %s as it is', (failure) => {
  expect(failureWords(failure, '')).toBe(failure)
})

const [wallet, other] = [1, 2].map((byte) => addressOf(new Uint8Array(32).fill(byte))) as [Address, Address]
const seeded = { address: other, base: wallet, seed: 'seed', program: other }
const transaction = encodeTransaction({
  signatures: [new Uint8Array(64)],
  message: compileMessage(
    wallet,
    [
      setComputeUnitLimit(200_000),
      setComputeUnitPrice(50_000n),
      transfer(wallet, other, 2_000_000n),
      createAccountWithSeed(seeded, 1_000_000n, 165n),
    ],
    addressOf(new Uint8Array(32).fill(9)),
  ).bytes as Uint8Array<ArrayBuffer>,
})

it.each([
  ['"AccountNotFound"', 'the wallet can’t pay the network fee: it needs 0.003015 SOL'],
  [
    'Attempt to debit an account but found no record of a prior credit.',
    'the wallet can’t pay the network fee: it needs 0.003015 SOL',
  ],
  ['{"InstructionError":[2,{"Custom":1}]}', 'the wallet holds too little SOL: it needs 0.003015 SOL'],
  [
    'Error processing Instruction 3: custom program error: 0x1',
    'the wallet holds too little SOL: it needs 0.003015 SOL',
  ],
  ['{"InstructionError":[1,{"Custom":1}]}', 'an account’s balance or allowance is too low'],
])('says how much the wallet needs when %s says that it is short of SOL', (failure, words) => {
  expect(failureWords(failure, transaction)).toBe(`${words} (${failure})`)
})
