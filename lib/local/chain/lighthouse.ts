import { concat, u32, u64, utf8 } from '../../keys/bytes.ts'

/*
 * A substitute for the Lighthouse program, so that a transaction with a wallet's guards lands, or fails with
 * a guard. It asserts two things in Lighthouse's encoding: an account's lamports (AssertAccountInfo) and a
 * token account's amount (AssertTokenAccount). It compares each with a number by one of six operators. It
 * accepts every other call and asserts nothing. Source: programs/lighthouse/src/types/assert of
 * github.com/Jac0xb/lighthouse.
 */

/** LighthouseError::AssertionFailed. */
const ASSERTION_FAILED = 6001
/** Instruction, log level, assertion, u64, operator. */
const GUARD_BYTES = 12
const ACCOUNT_INFO = { instruction: 5, lamports: 0 }
const TOKEN_ACCOUNT = { instruction: 9, amount: 2, amountAt: 64 }
const OPERATORS = ['equal', 'notEqual', 'greater', 'less', 'greaterOrEqual', 'lessOrEqual'] as const

/*
 * Offsets of a call's input, as the loader places it: the number of accounts, the only account, then the
 * data.
 */
const LAMPORTS = 80
const DATA_LENGTH = 88
const DATA = 96
const ROOM_TO_GROW = 10_240
const RENT_EPOCH_BYTES = 8

/* Registers: the actual value, the guard's number and operator; a scratch register. */
const [RESULT, INPUT, ACTUAL, EXPECTED, GUARD, OPERATOR, LOOK] = [0, 1, 2, 3, 4, 5, 6]

/** An instruction of the loader's bytecode (SBPF version 0); `to` is the name of its jump target. */
type Line = { code: number; into?: number; from?: number; offset?: number; value?: number; to?: string }
const JUMP_IF: Record<(typeof OPERATORS)[number], number> = {
  equal: 0x1d,
  notEqual: 0x5d,
  greater: 0x2d,
  less: 0xad,
  greaterOrEqual: 0x3d,
  lessOrEqual: 0xbd,
}
const set = (into: number, value: number): Line => ({ code: 0xb7, into, value })
const copy = (into: number, from: number): Line => ({ code: 0xbf, into, from })
const add = (into: number, value: number): Line => ({ code: 0x07, into, value })
const addTo = (into: number, from: number): Line => ({ code: 0x0f, into, from })
const mask = (into: number, value: number): Line => ({ code: 0x57, into, value })
const byte = (into: number, from: number, offset: number): Line => ({ code: 0x71, into, from, offset })
const word = (into: number, from: number, offset: number): Line => ({ code: 0x79, into, from, offset })
const ifEqual = (into: number, value: number, to: string): Line => ({ code: 0x15, into, value, to })
const unless = (into: number, value: number, to: string): Line => ({ code: 0x55, into, value, to })
const goTo = (to: string): Line => ({ code: 0x05, to })
const EXIT: Line = { code: 0x95 }

const PROGRAM: (Line | string)[] = [
  set(RESULT, 0),
  word(LOOK, INPUT, 0),
  unless(LOOK, 1, 'end'),
  // The call's data follows the account's, aligned to eight bytes.
  word(LOOK, INPUT, DATA_LENGTH),
  copy(GUARD, INPUT),
  addTo(GUARD, LOOK),
  add(GUARD, DATA + ROOM_TO_GROW + 7),
  mask(GUARD, -8),
  add(GUARD, RENT_EPOCH_BYTES),
  word(LOOK, GUARD, 0),
  unless(LOOK, GUARD_BYTES, 'end'),
  add(GUARD, 8),
  word(EXPECTED, GUARD, 3),
  byte(OPERATOR, GUARD, 11),
  byte(LOOK, GUARD, 0),
  ifEqual(LOOK, TOKEN_ACCOUNT.instruction, 'token account'),
  unless(LOOK, ACCOUNT_INFO.instruction, 'end'),
  byte(LOOK, GUARD, 2),
  unless(LOOK, ACCOUNT_INFO.lamports, 'end'),
  word(ACTUAL, INPUT, LAMPORTS),
  goTo('compare'),
  'token account',
  byte(LOOK, GUARD, 2),
  unless(LOOK, TOKEN_ACCOUNT.amount, 'end'),
  word(LOOK, INPUT, DATA_LENGTH),
  ifEqual(LOOK, 0, 'failed'),
  word(ACTUAL, INPUT, DATA + TOKEN_ACCOUNT.amountAt),
  'compare',
  ...OPERATORS.flatMap((operator, index): (Line | string)[] => [
    unless(OPERATOR, index, `not ${operator}`),
    { code: JUMP_IF[operator], into: ACTUAL, from: EXPECTED, to: 'end' },
    goTo('failed'),
    `not ${operator}`,
  ]),
  goTo('end'),
  'failed',
  set(RESULT, ASSERTION_FAILED),
  'end',
  EXIT,
]

function assembled(program: (Line | string)[]): Uint8Array {
  const lines: Line[] = []
  const places = new Map<string, number>()
  for (const one of program) typeof one === 'string' ? places.set(one, lines.length) : lines.push(one)
  return concat(
    ...lines.map(({ code, into = 0, from = 0, offset = 0, value = 0, to }, at) => {
      const jump = to === undefined ? offset : (places.get(to) ?? Number.NaN) - at - 1
      const bytes = new DataView(new ArrayBuffer(8))
      bytes.setUint8(0, code)
      bytes.setUint8(1, into | (from << 4))
      bytes.setInt16(2, jump, true)
      bytes.setInt32(4, value, true)
      return new Uint8Array(bytes.buffer)
    }),
  )
}

/* Sizes and numbers of ELF64 (elf.h), and of the loader's bytecode, SBPF version 0. */
const FILE_HEADER_BYTES = 64
const SECTION_HEADER_BYTES = 64
const SHARED_OBJECT = 3
const MACHINE_BPF = 247
const PROGBITS = 1
const STRTAB = 3
const ALLOCATED = 2
const EXECUTABLE = 4

const CODE = assembled(PROGRAM)
const NAMES = utf8('\0.text\0.shstrtab\0')

/** Makes the program: the smallest file that the loader accepts. */
export function lighthouseStandIn(): Uint8Array {
  const namesAt = FILE_HEADER_BYTES + CODE.length
  const sectionsAt = Math.ceil((namesAt + NAMES.length) / 8) * 8
  return concat(
    [0x7f, ...utf8('ELF'), 2, 1, 1, 0, ...new Uint8Array(8)],
    u16s(SHARED_OBJECT, MACHINE_BPF),
    u32(1),
    // Entry point, program headers (none), section headers.
    ...[FILE_HEADER_BYTES, 0, sectionsAt].map((offset) => u64(BigInt(offset))),
    u32(0),
    u16s(FILE_HEADER_BYTES, 56, 0, SECTION_HEADER_BYTES, 3, 2),
    CODE,
    NAMES,
    new Uint8Array(sectionsAt - namesAt - NAMES.length),
    new Uint8Array(SECTION_HEADER_BYTES),
    section({
      name: 1,
      type: PROGBITS,
      flags: ALLOCATED | EXECUTABLE,
      at: FILE_HEADER_BYTES,
      size: CODE.length,
    }),
    section({ name: 7, type: STRTAB, flags: 0, at: namesAt, size: NAMES.length }),
  )
}

/** @param name the offset of its name in the names */
function section({ name, type, flags, at, size }: Record<'name' | 'type' | 'flags' | 'at' | 'size', number>) {
  const address = flags & ALLOCATED ? at : 0
  const [link, info, alignment, entryBytes] = [0, 0, 1, 0]
  const fields = [flags, address, at, size].map((value) => u64(BigInt(value)))
  return concat(
    u32(name),
    u32(type),
    ...fields,
    u32(link),
    u32(info),
    u64(BigInt(alignment)),
    u64(BigInt(entryBytes)),
  )
}

const u16s = (...values: number[]): Uint8Array => concat(...values.map((value) => [value & 0xff, value >> 8]))
