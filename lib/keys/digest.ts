import { hex } from '@scure/base'
import { utf8 } from './bytes.ts'

/** Returns the SHA-256 of a text's UTF-8, in hexadecimal. */
export const sha256Hex = async (text: string): Promise<string> =>
  hex.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))
