import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Keypair } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { type WebSocket, WebSocketServer } from 'ws'
import { signerOf, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { startOnPort } from '../../lib/local/loopback.ts'
import { createWallet } from './wallets.ts'

// The global one has the types of Workers.
const { subtle } = webcrypto
const P256 = { name: 'ECDH', namedCurve: 'P-256' }
const PUBLIC_KEY_BYTES = 65

/** A wallet app of an Android phone: it answers by the Mobile Wallet Adapter protocol, version 1. */
export function createWalletApp({ keypair = Keypair.generate() }: { keypair?: Keypair } = {}) {
  const { signMessage } = signerOf(walletFromSecretKey(keypair.secretKey))
  const { sign, owner: address } = createWallet(keypair)
  /** The requests to it, in order. */
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
      const server = await listen()
      page.once('close', () => server.close())
      const { port } = server.address() as AddressInfo
      // The page draws the port that the wallet is to listen on.
      const drawPort = `Object.assign(Math, { random: () => ${(port - FIRST_PORT + 0.5) / PORTS} })`
      // The link brings the browser into the background. The page waits for that for three seconds only.
      const leave = `navigation.addEventListener('navigate', ({ destination }) => {
        if (destination.url.startsWith('solana-wallet:')) dispatchEvent(new Event('blur'))
      })`
      for (const script of [drawPort, leave]) {
        await page.addInitScript(script)
        await page.evaluate(script)
      }
      let opened = Promise.withResolvers<Buffer>()
      page.on('request', (request) => {
        const link = new URL(request.url())
        if (link.protocol === 'solana-wallet:') opened.resolve(associationKey(link))
      })
      server.on('connection', async (socket) => {
        // The page connects before this process has seen the link.
        socket.pause()
        const salt = await opened.promise
        opened = Promise.withResolvers()
        void converse(socket, salt, answer)
        socket.resume()
      })
    },
  }
}

const associationKey = ({ searchParams }: URL): Buffer =>
  Buffer.from(`${searchParams.get('association')}`.replaceAll('.', '='), 'base64url')

/** Ports that the protocol allows. */
const FIRST_PORT = 49_152
const PORTS = 16_384

/** Listens on a free port that the protocol allows. The system by itself names only ports below those. */
const listen = (): Promise<WebSocketServer> =>
  startOnPort(0, async (free) => {
    const port = FIRST_PORT + (free % PORTS)
    const server = new WebSocketServer({ host: 'localhost', port, path: '/solana-wallet' })
    await once(server, 'listening')
    return server
  })

async function converse(socket: WebSocket, salt: Buffer, answer: (method: string, params: never) => object) {
  const [hello] = (await once(socket, 'message')) as [Buffer]
  const own = await subtle.generateKey(P256, false, ['deriveBits'])
  const appKey = await subtle.importKey('raw', hello.subarray(0, PUBLIC_KEY_BYTES), P256, false, [])
  const shared = await subtle.deriveBits({ name: 'ECDH', public: appKey }, own.privateKey, 256)
  const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() }
  const key = await subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 128 }, false, [
    'encrypt',
    'decrypt',
  ])

  let count = 0
  const encrypted = async (value: object): Promise<Buffer> => {
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
    socket.send(await encrypted({ jsonrpc: '2.0', id, ...answer(method, params as never) }))
  })
  const publicKey = Buffer.from(await subtle.exportKey('raw', own.publicKey))
  socket.send(Buffer.concat([publicKey, await encrypted({ v: '1' })]))
}
