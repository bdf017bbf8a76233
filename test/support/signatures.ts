import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Point } from '@noble/ed25519'

/** A signature and whether the policy of test/vectors/README.md accepts it. All in hexadecimal. */
export type SignatureCase = {
  name: string
  publicKey: string
  signature: string
  message: string
  accepted: boolean
}

type Wycheproof = {
  testGroups: {
    publicKey: { pk: string }
    tests: { tcId: number; comment: string; msg: string; sig: string; result: string }[]
  }[]
}
type Speccheck = { message: string; pub_key: string; signature: string }[]

const vectors = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', file), 'utf8'))

/** The vectors of Project Wycheproof. */
export function wycheproofCases(): SignatureCase[] {
  const { testGroups }: Wycheproof = vectors('wycheproof-ed25519.json')
  return testGroups.flatMap(({ publicKey, tests }) =>
    tests.map(({ tcId, comment, msg, sig, result }) => {
      // There is no "acceptable" in this file: every vector is plainly one or the other.
      if (result !== 'valid' && result !== 'invalid') throw new Error(`wycheproof ${tcId}: ${result}`)
      return {
        name: `wycheproof ${tcId} ${comment}`,
        publicKey: publicKey.pk,
        signature: sig,
        message: msg,
        accepted: result === 'valid',
      }
    }),
  )
}

/**
 * The twelve edge cases of "Taming the many EdDSAs". A strict cofactorless verifier accepts number 3 alone.
 */
export function speccheckCases(): SignatureCase[] {
  const cases: Speccheck = vectors('ed25519-speccheck.json')
  return cases.map(({ message, pub_key, signature }, number) => ({
    name: `speccheck ${number}`,
    publicKey: pub_key,
    signature,
    message,
    accepted: number === 3,
  }))
}

const ORDER = Point.CURVE().n

/** The order of the group times a point: what is left is its part of small order. */
const smallOrderPart = (point: Point): Point =>
  point
    .multiply(ORDER / 2n)
    .double()
    .add(point)

/** The eight points of small order, as the multiples of one of order eight that the curve itself yields. */
export function smallOrderPoints(): Point[] {
  for (let y = 2; ; y++) {
    const generator = smallOrderPart(pointAt(y) ?? Point.ZERO)
    if (generator.double().double().is0()) continue
    const points = [Point.ZERO]
    for (let i = 1; i < 8; i++) points.push((points[i - 1] ?? Point.ZERO).add(generator))
    return points
  }
}

function pointAt(y: number): Point | undefined {
  try {
    return Point.fromHex(y.toString(16).padStart(2, '0').padEnd(64, '0'))
  } catch {
    return undefined
  }
}

/**
 * Returns signatures that satisfy the cofactorless equation S·B = R + k·A, as WebCrypto checks it, but that
 * the policy rejects. Each of the eight small-order points is once the key and once R.
 * @param messageOf returns a message for a key (hexadecimal); called until a signature of one can be forged
 */
export function smallOrderForgeries(messageOf: MessageOf = () => randomBytes(16)): SignatureCase[] {
  const points = smallOrderPoints()
  return points.flatMap((point) => [
    forgeryForKey(point, points, messageOf),
    forgeryWithR(point, points, messageOf),
  ])
}

type MessageOf = (publicKey: string) => Buffer

/**
 * Without any private key: S is free, and R = S·B - k·A takes at most eight values to guess k's remainder
 * from.
 */
function forgeryForKey(key: Point, points: Point[], messageOf: MessageOf): SignatureCase {
  for (;;) {
    const message = messageOf(key.toHex())
    const s = randomScalar()
    for (const multiple of points) {
      const r = Point.BASE.multiply(s).add(multiple)
      const k = challenge(r, key, message)
      if (times(key, k).add(r).equals(Point.BASE.multiply(s))) {
        return forgery(`small-order key ${key.toHex()}`, key, r, s, message)
      }
    }
  }
}

/** The key has a small-order part, so that k·A does too; a message is sought whose k makes that part -R. */
function forgeryWithR(r: Point, points: Point[], messageOf: MessageOf): SignatureCase {
  const secret = randomScalar()
  const generator = points[1] ?? Point.ZERO
  const key = Point.BASE.multiply(secret).add(generator)
  for (;;) {
    const message = messageOf(key.toHex())
    const k = challenge(r, key, message)
    if (!times(generator, k).add(r).is0()) continue
    return forgery(`small-order R ${r.toHex()}`, key, r, (k * secret) % ORDER, message)
  }
}

const forgery = (name: string, key: Point, r: Point, s: bigint, message: Buffer): SignatureCase => ({
  name,
  publicKey: key.toHex(),
  signature: r.toHex() + scalarHex(s),
  message: message.toString('hex'),
  accepted: false,
})

/**
 * Returns whether S·B = R + k·A. A verifier without the checks before, such as workerd's WebCrypto, checks
 * only this.
 */
export function satisfiesEquation({ publicKey, signature, message }: SignatureCase): boolean {
  const [key, r] = [Point.fromHex(publicKey), Point.fromHex(signature.slice(0, 64))]
  const s = littleEndian(bytesOf(signature.slice(64)))
  const sum = times(key, challenge(r, key, bytesOf(message))).add(r)
  return times(Point.BASE, s).equals(sum)
}

/**
 * Signs a message with a random nonce: as valid as the signature of RFC 8032, which is always the same, and
 * another each time.
 * @param secretKey 64 bytes, the seed first
 */
export function signAgain(secretKey: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const digest = createHash('sha512').update(secretKey.subarray(0, 32)).digest()
  const bytes = digest.subarray(0, 32)
  bytes[0] = (bytes[0] ?? 0) & 248
  bytes[31] = ((bytes[31] ?? 0) & 127) | 64
  const secret = littleEndian(bytes) % ORDER
  const nonce = randomScalar()
  const r = Point.BASE.multiply(nonce)
  const s = (nonce + challenge(r, Point.BASE.multiply(secret), message) * secret) % ORDER
  return bytesOf(r.toHex() + scalarHex(s))
}

/** A multiple of a point whose order may divide the scalar. */
const times = (point: Point, scalar: bigint): Point =>
  scalar % ORDER === 0n ? Point.ZERO : point.multiply(scalar % ORDER, false)

/** k of RFC 8032: SHA-512 of R, A and the message, reduced modulo the order of the base point. */
function challenge(r: Point, key: Point, message: Uint8Array): bigint {
  const digest = createHash('sha512').update(r.toBytes()).update(key.toBytes()).update(message).digest()
  return littleEndian(digest) % ORDER
}

const randomScalar = (): bigint => (littleEndian(randomBytes(32)) % (ORDER - 1n)) + 1n

const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** A scalar as the 32 little-endian bytes of a signature's second half. */
export const scalarHex = (scalar: bigint): string =>
  Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')

/**
 * The System Program's address is 32 zero bytes, a point of order four, and anyone can sign for it this way.
 */
export const systemProgramForgeries = (count: number): SignatureCase[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `System Program key, message ${i}`,
    publicKey: '00'.repeat(32),
    signature: `01${'00'.repeat(63)}`,
    message: randomBytes(32).toString('hex'),
    accepted: false,
  }))

export const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, 'hex'))

/** Makes random bytes that decompress to no point of the curve. */
export function noPointsOfTheCurve(count: number): Uint8Array<ArrayBuffer>[] {
  const found: Uint8Array<ArrayBuffer>[] = []
  while (found.length < count) {
    const bytes = new Uint8Array(randomBytes(32))
    try {
      Point.fromBytes(bytes, true)
    } catch {
      found.push(bytes)
    }
  }
  return found
}

export const withSign = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.with(31, (bytes[31] ?? 0) | 0x80)

/** The order of the field: only a y below it is canonical. */
const P = Point.CURVE().p

/** Encodings of x = 0 whose sign is set, which RFC 8032 refuses and ZIP 215 accepts. */
export const signedZeros = (): Uint8Array<ArrayBuffer>[] =>
  [1n, P - 1n, P + 1n].map((y) => withSign(bytesOf(scalarHex(y))))

/**
 * Encodings with the smallest and largest y, all that are not canonical, and powers of two. Each is there
 * with x's sign and without it, but for the signed zeros.
 */
export function edgeEncodings(): Uint8Array<ArrayBuffer>[] {
  const ys = Array.from({ length: 60 }, (_, i) => BigInt(i)).flatMap((i) => [i, P - 1n - i, P + (i % 19n)])
  ys.push(...Array.from({ length: 254 }, (_, i) => 1n << BigInt(i)))
  const unsigned = ys.map((y) => bytesOf(scalarHex(y)))
  const zeros = signedZeros().map(String)
  return [...unsigned, ...unsigned.map(withSign).filter((bytes) => !zeros.includes(String(bytes)))]
}

export const isCanonical = (bytes: Uint8Array): boolean =>
  littleEndian(bytes.with(31, (bytes[31] ?? 0) & 0x7f)) < P
