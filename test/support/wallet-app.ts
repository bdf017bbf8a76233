import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { Keypair } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { type WebSocket, WebSocketServer } from 'ws'
import { signerOf, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { createWallet } from './wallets.ts'

// The types of the global one are those of Workers.
const { subtle } = webcrypto
const P256 = { name: 'ECDH', namedCurve: 'P-256' }
const PUBLIC_KEY_BYTES = 65

/** A wallet app of an Android phone: it answers by the Mobile Wallet Adapter protocol, version 1. */
export function createWalletApp({ keypair = Keypair.generate() }: { keypair?: Keypair } = {}) {
  const { signMessage } = signerOf(walletFromSecretKey(keypair.secretKey))
  const { sign, owner: address } = createWallet(keypair)
  /** What it has been asked for, in order. */
  const asked: string[] = []
  let isRevoked = false

  function answer(method: string, params: { payloads: string[] }): object {
    asked.push(method)
    if (method === 'get_capabilities') return { result: { features: ['solana:signTransactions'] } }
    if (isRevoked) return { error: { code: -1, message: 'authorization request failed' } }
    if (method === 'authorize') {
      const account = { address: keypair.publicKey.toBuffer().toString('base64'), label: 'On my phone' }
      return { result: { auth_token: 'a token', accounts: [account] } }
    }
    const signed = method === 'sign_messages' ? signedMessage : sign
    return { result: { signed_payloads: params.payloads.map(signed) } }
  }

  /** The message with its signature behind it. */
  const signedMessage = (payload: string): string => {
    const message = Buffer.from(payload, 'base64')
    return Buffer.concat([message, signMessage(message)]).toString('base64')
  }

  return {
    address,
    asked,
    /** Allows the page nothing any more. */
    revoke() {
      isRevoked = true
    },
    /** Is there for a page: the protocol's link opens it, and it listens on the port that the link names. */
    async installFor(page: Page): Promise<void> {
      // The page draws the port. Those below 61,000 are Linux's for connections, so that one may be taken.
      const drawOthers = '{ const drawn = Math.random; Math.random = () => 0.75 + drawn() / 4 }'
      // The link brings the browser into the background. The page waits for that for three seconds only.
      const leave = `navigation.addEventListener('navigate', ({ destination }) => {
        if (destination.url.startsWith('solana-wallet:')) dispatchEvent(new Event('blur'))
      })`
      for (const script of [drawOthers, leave]) {
        await page.addInitScript(script)
        await page.evaluate(script)
      }
      page.on('request', async (request) => {
        const link = new URL(request.url())
        if (link.protocol !== 'solana-wallet:') return
        await serve(Number(link.searchParams.get('port')), associationKey(link), answer)
      })
    },
  }
}

const associationKey = ({ searchParams }: URL): Buffer =>
  Buffer.from(`${searchParams.get('association')}`.replaceAll('.', '='), 'base64url')

/** Listens for one session. */
async function serve(port: number, salt: Buffer, answer: (method: string, params: never) => object) {
  const server = new WebSocketServer({ host: 'localhost', port, path: '/solana-wallet' })
  await once(server, 'listening')
  server.once('connection', (socket) => {
    socket.once('close', () => server.close())
    void converse(socket, salt, answer)
  })
}

async function converse(socket: WebSocket, salt: Buffer, answer: (method: string, params: never) => object) {
  const [hello] = (await once(socket, 'message')) as [Buffer]
  const own = await subtle.generateKey(P256, false, ['deriveBits'])
  const theirs = await subtle.importKey('raw', hello.subarray(0, PUBLIC_KEY_BYTES), P256, false, [])
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256)
  const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() }
  const key = await subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 128 }, false, [
    'encrypt',
    'decrypt',
  ])

  let count = 0
  const sealed = async (value: object): Promise<Buffer> => {
    const sequence = Buffer.alloc(4)
    sequence.writeUInt32BE(++count)
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const text = Buffer.from(JSON.stringify(value))
    return Buffer.concat([
      sequence,
      iv,
      Buffer.from(await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: sequence }, key, text)),
    ])
  }
  socket.on('message', async (bytes: Buffer) => {
    const [sequence, iv, text] = [bytes.subarray(0, 4), bytes.subarray(4, 16), bytes.subarray(16)]
    const open = await subtle.decrypt({ name: 'AES-GCM', iv, additionalData: sequence }, key, text)
    const { id, method, params } = JSON.parse(Buffer.from(open).toString())
    socket.send(await sealed({ jsonrpc: '2.0', id, ...answer(method, params as never) }))
  })
  const publicKey = Buffer.from(await subtle.exportKey('raw', own.publicKey))
  socket.send(Buffer.concat([publicKey, await sealed({ v: '1' })]))
}
