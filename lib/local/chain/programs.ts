import { address } from '@solana/kit'
import * as programs from '../../solana/programs/programs.ts'

/** The service's program addresses, as kit's type. */
export const SYSTEM_PROGRAM = address(programs.SYSTEM_PROGRAM)
export const TOKEN_PROGRAM = address(programs.TOKEN_PROGRAM)
export const MEMO_PROGRAM = address(programs.MEMO_PROGRAM)
export const LIGHTHOUSE_PROGRAM = address(programs.LIGHTHOUSE_PROGRAM)

export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const MEMO_PROGRAM_V1 = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo')
export const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111')
