import { hex } from '@scure/base'

/** What is stored of a code: SHA-256 of its canonical spelling, in hexadecimal. */
export const codeHash = async (code: string): Promise<string> =>
  hex.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))))
