import { base58 } from '@scure/base'
import { address } from '@solana/kit'
import { FeatureSet, LiteSVM } from 'litesvm'
import { concat, u32, u64, utf8 } from '../../keys/bytes.ts'

/**
 * The two programs that may answer at the Token program's address: p-token, which replaced the other in 2026.
 */
export const TOKEN_PROGRAMS = ['p-token', 'SPL Token 3.5.0'] as const

export type TokenProgram = (typeof TOKEN_PROGRAMS)[number]

/** replace_spl_token_with_p_token (SIMD-0266). */
const P_TOKEN_FEATURE = base58.decode('ptokFjwyJtrwCa9Kgo9xoDS59V4QccBGEaRFnRPnSdP')

/** A virtual machine with what mainnet has active, but for the Token program that is asked for. */
export function createSvm(tokenProgram: TokenProgram): LiteSVM {
  const svm = new LiteSVM()
  if (tokenProgram === 'p-token') return svm
  // What mainnet has active, which `new LiteSVM()` shows as accounts, without p-token; then what its
  // constructor does.
  const features = new FeatureSet()
  for (const feature of FeatureSet.allEnabled().getActiveFeatures()) {
    const isActive = svm.getAccount(address(base58.encode(feature))).exists
    if (isActive && !feature.equals(P_TOKEN_FEATURE)) features.activate(feature, 0n)
  }
  return LiteSVM.default()
    .withFeatureSet(features)
    .withBuiltins()
    .withLamports(10n ** 15n)
    .withSysvars()
    .withDefaultPrograms()
    .withSigverify(true)
    .withBlockhashCheck(true)
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

/** `mov64 r0, 0`, then `exit`: the program succeeds with any input. */
const CODE = concat([0xb7, 0, 0, 0, 0, 0, 0, 0], [0x95, 0, 0, 0, 0, 0, 0, 0])
const NAMES = utf8('\0.text\0.shstrtab\0')

/**
 * Makes the program that stands at Lighthouse's address, so that a transaction with a wallet's guards lands:
 * the smallest one that the loader takes. It asserts nothing, so no guard ever fails here.
 */
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

/** @param name where its name begins among the names */
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
