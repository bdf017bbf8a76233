import { hex } from '@scure/base'

/** Returns so many random bytes, in hexadecimal. */
export const randomHex = (bytes: number): string => hex.encode(crypto.getRandomValues(new Uint8Array(bytes)))
