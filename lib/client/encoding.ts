export const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Encodes bytes in Base58, Solana's form of keys and signatures. */
export function base58(bytes: Uint8Array): string {
  let text = ''
  for (let number = toBigInt(bytes); number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text
  for (const byte of bytes) {
    if (byte > 0) break
    text = `1${text}`
  }
  return text
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** @throws DOMException if the text is not Base64 */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
