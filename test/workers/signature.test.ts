import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import { convertV4MiniflareOptions, Miniflare } from '../../lib/tools/miniflare.ts'
import {
  noPointsOfTheCurve,
  type SignatureCase,
  smallOrderForgeries,
  speccheckCases,
  systemProgramForgeries,
  wycheproofCases,
} from '../support/signatures.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Answers [{publicKey, signature, messages}] in hexadecimal with one boolean each; at /bare with what
 * WebCrypto alone says of the first message.
 */
const WORKER = `
import { verifiesAny } from './lib/keys/signature.ts'
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
const bare = async (publicKey, signature, [message]) => crypto.subtle.verify('Ed25519',
  await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']), signature, message)
export default {
  async fetch(request) {
    const ask = new URL(request.url).pathname === '/bare' ? bare : verifiesAny
    const questions = await request.json()
    return Response.json(await Promise.all(questions.map(({ publicKey, signature, messages }) =>
      ask(bytes(publicKey), bytes(signature), messages.map(bytes)))))
  },
}`

let miniflare: Miniflare
beforeAll(async () => {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: WORKER, resolveDir: ROOT, loader: 'js' },
    ...WORKERD_BUILD,
  })
  await esbuild.stop()
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      modules: true,
      compatibilityDate: '2026-10-20',
      script: outputFiles[0]?.text ?? '',
    }),
  )
  await miniflare.ready
})
afterAll(() => miniflare.dispose())

async function verdicts(path: '/' | '/bare', cases: SignatureCase[]): Promise<boolean[]> {
  const questions = cases.map(({ publicKey, signature, message }) => ({
    publicKey,
    signature,
    messages: [message],
  }))
  const response = await miniflare.dispatchFetch(`http://verify${path}`, {
    method: 'POST',
    body: JSON.stringify(questions),
  })
  const answers = (await response.json()) as boolean[]
  expect(answers).toHaveLength(cases.length)
  return answers
}

/** Holds workerd's verdicts against the expected ones, by name. */
async function expectVerdicts(cases: SignatureCase[]) {
  const answers = await verdicts('/', cases)
  expect(cases.map(({ name }, i) => [name, answers[i]])).toEqual(
    cases.map(({ name, accepted }) => [name, accepted]),
  )
}

it('agrees in workerd with every Wycheproof vector', () => expectVerdicts(wycheproofCases()))

it('accepts in workerd only number 3 of the twelve edge cases', () => expectVerdicts(speccheckCases()))

it('rejects in workerd small-order keys and R, which plain WebCrypto accepts', async () => {
  const forgeries = smallOrderForgeries()
  expect(await verdicts('/bare', forgeries)).not.toContain(false)
  await expectVerdicts(forgeries)
})

it('rejects in workerd the System Program key for every message', async () => {
  const forgeries = systemProgramForgeries(200)
  expect(await verdicts('/bare', forgeries)).toContain(true)
  await expectVerdicts(forgeries)
})

it('rejects in workerd a key that is not a curve point, without throwing', () =>
  expectVerdicts(
    noPointsOfTheCurve(50).map((key, i) => ({
      name: `key ${i}`,
      publicKey: Buffer.from(key).toString('hex'),
      signature: `${'09'.repeat(32)}${'00'.repeat(32)}`,
      message: '01',
      accepted: false,
    })),
  ))
