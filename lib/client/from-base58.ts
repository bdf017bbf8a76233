import { ALPHABET } from './encoding.ts'

/** @throws TypeError if the text is not Base58. The message does not repeat it, since it may be a secret */
export function fromBase58(text: string): Uint8Array<ArrayBuffer> {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) throw new TypeError('not Base58')
    number = number * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 255n))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return new Uint8Array([...new Uint8Array(zeros), ...bytes])
}
