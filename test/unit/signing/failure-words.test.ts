import { expect, it } from 'vitest'
import { failureWords } from '../../../lib/signing/relay/network.ts'

it.each([
  ['{"InstructionError":[2,{"Custom":17}]}', 'the mint’s freeze authority has frozen an account'],
  ['{"InstructionError":[3,{"Custom":4}]}', 'a signer is neither the owner'],
  ['{"InstructionError":[3,{"Custom":1}]}', 'an account holds less than is taken from it'],
  ['{"InstructionError":[0,{"Custom":0}]}', 'an account holds too little for its rent'],
  ['Error processing Instruction 2: custom program error: 0x11', 'the mint’s freeze authority'],
  ['{"InstructionError":[0,"MissingRequiredSignature"]}', 'a signature is missing'],
  ['Error processing Instruction 0: missing required signature for instruction', 'a signature is missing'],
  ['"InsufficientFundsForFee"', 'the wallet can not pay the network fee'],
  ['{"InsufficientFundsForRent":{"account_index":1}}', 'an account would hold too little for its rent'],
])('puts %s into words, and keeps it beside them', (failure, words) => {
  expect(failureWords(failure)).toMatch(new RegExp(`^${words}`))
  expect(failureWords(failure)).toContain(`(${failure})`)
})

it.each([
  '{"InstructionError":[1,{"Custom":6001}]}',
  '"ClusterMaintenance"',
  '{"InstructionError":[1,"InvalidArgument"]}',
])('leaves %s as it is', (failure) => {
  expect(failureWords(failure)).toBe(failure)
})
