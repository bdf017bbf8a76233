import nodeCrypto, { type Cipheriv, createCipheriv, createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Everything that a test file draws follows from its name and SEED, so that a failure comes back when the
 * file is run again. `npm run soak` sets other seeds.
 */

/** The seed of all runs except those of `npm run soak`. */
export const FIXED_SEED = 1

/** The seed of this run: the fixed one unless the environment names another. */
export const SEED = Number(process.env.SEED ?? FIXED_SEED)

/** The key stream that all draws are taken from. */
let stream = streamOf('')

function streamOf(name: string): Cipheriv {
  const key = createHash('sha256').update(`${SEED} ${name}`).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
}

/** Begins a new sequence of draws. @param name what is to draw the same values in each run: a test file */
export function seedRandom(name: string): void {
  stream = streamOf(name)
}

/** Draws bytes. */
export const drawBytes = (count: number): Buffer => stream.update(Buffer.alloc(count))

/** Draws an integer from 0 up to, but not including, `below`, which is at most 2^32. */
export const drawInteger = (below: number): number =>
  Math.floor((drawBytes(4).readUInt32LE() / 2 ** 32) * below)

/** Returns the items in a drawn order. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: drawInteger(2 ** 32) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Draws a UUID of version 4. */
export function drawUuid() {
  const bytes = drawBytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** What stands before an Ed25519 seed in PKCS #8 (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const drawEd25519 = () => Buffer.concat([ED25519_PKCS8, drawBytes(32)])

const isEd25519 = (algorithm: unknown): boolean =>
  algorithm === 'Ed25519' || (algorithm as { name?: string } | null)?.name === 'Ed25519'

let isCryptoSeeded = false

/**
 * Makes Web Crypto and node:crypto of this process draw from the seeded sequence: for tests, for the
 * service's own code and for libraries (web3.js, jose). The system still draws keys of other kinds than
 * Ed25519.
 */
export function seedCrypto(): void {
  if (isCryptoSeeded) return
  isCryptoSeeded = true
  const { subtle } = crypto
  const generateKey = subtle.generateKey.bind(subtle) as (...args: unknown[]) => Promise<unknown>
  define(crypto, {
    getRandomValues(array: Uint8Array) {
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(drawBytes(array.byteLength))
      return array
    },
    randomUUID: drawUuid,
  })
  define(subtle, {
    async generateKey(algorithm: unknown, extractable: boolean, usages: string[]) {
      if (!isEd25519(algorithm)) return generateKey(algorithm, extractable, usages)
      const { privateKey, publicKey } = keyPairOf(drawEd25519())
      const imported = (der: Buffer, format: 'pkcs8' | 'spki', usage: 'sign' | 'verify', mayLeave: boolean) =>
        subtle.importKey(
          format,
          new Uint8Array(der),
          'Ed25519',
          mayLeave,
          usages.includes(usage) ? [usage] : [],
        )
      return {
        privateKey: await imported(
          privateKey.export({ format: 'der', type: 'pkcs8' }),
          'pkcs8',
          'sign',
          extractable,
        ),
        publicKey: await imported(publicKey.export({ format: 'der', type: 'spki' }), 'spki', 'verify', true),
      }
    },
  })
  const { generateKeyPairSync } = nodeCrypto
  define(nodeCrypto, {
    randomBytes: drawBytes,
    randomUUID: drawUuid,
    generateKeyPairSync: (type: string, ...rest: unknown[]) =>
      type === 'ed25519' && rest.length === 0
        ? keyPairOf(drawEd25519())
        : (generateKeyPairSync as (...args: unknown[]) => unknown)(type, ...rest),
  })
  syncBuiltinESMExports()
}

function keyPairOf(pkcs8: Buffer) {
  const privateKey = nodeCrypto.createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: nodeCrypto.createPublicKey(privateKey) }
}

function define(target: object, functions: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(functions))
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
}
