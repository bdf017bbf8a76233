import { once } from 'node:events'
import { zstdDecompressSync } from 'node:zlib'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { answer, methods } from '../../lib/local/chain/rpc/dispatch.ts'
import { chainHandler, serveChain } from '../../lib/local/chain/server.ts'
import { type Answer, call, callText, fundedWallet, signedTransfer, startChain } from './support.ts'

describe('JSON-RPC', () => {
  test('answers malformed, invalid, unknown and wrong calls with the standard codes', async () => {
    const { server } = await startChain()
    const codeOf = async (body: string) => (await post(server.url, body)).error?.code
    expect(await codeOf('{')).toBe(-32700)
    expect(await codeOf('')).toBe(-32700)
    for (const invalid of ['1', 'null', '"x"', '{}', '[]', '{"jsonrpc":"1.0","method":"getSlot","id":1}'])
      expect(await codeOf(invalid)).toBe(-32600)
    expect(await codeOf('{"jsonrpc":"2.0","method":"getSlot","params":{"a":1},"id":1}')).toBe(-32600)
    expect((await call(server.url, 'getNothing')).error).toEqual({
      code: -32601,
      message: 'Method not found',
    })
    expect((await call(server.url, 'toString')).error?.code).toBe(-32601)
    expect((await call(server.url, 'getBalance')).error?.code).toBe(-32602)
    expect((await call(server.url, 'getBalance', ['abc'])).error).toEqual({
      code: -32602,
      message: 'Invalid param: WrongSize',
    })
    expect((await call(server.url, 'getBalance', ['0OIl'])).error?.message).toBe('Invalid param: Invalid')
    expect((await call(server.url, 'getSlot', [{ commitment: 'soon' }])).error?.code).toBe(-32602)
  })

  test('answers a batch in order, without its notifications', async () => {
    const { server } = await startChain()
    const one = (id: unknown, method: string) => ({ jsonrpc: '2.0', method, ...(id !== undefined && { id }) })
    const batch = [one('a', 'getHealth'), one(undefined, 'getSlot'), 7, one(2, 'getNothing')]
    expect(await post(server.url, JSON.stringify(batch))).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 'a' },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
    ])
    const notified = await fetch(server.url, {
      method: 'POST',
      body: JSON.stringify([one(undefined, 'getSlot')]),
    })
    expect(notified.status).toBe(204)
  })

  test('honours minContextSlot and names the slot it is at', async () => {
    const { server, chain, clock } = await startChain()
    const slot = Number(chain.ledger.slot)
    const options = { commitment: 'confirmed', minContextSlot: slot + 1 }
    const ahead = await call(server.url, 'getSlot', [options])
    expect(ahead.error).toEqual({
      code: -32016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: slot },
    })
    clock.pass(400)
    expect((await call(server.url, 'getSlot', [options])).result).toBe(slot + 1)
  })

  test('encodes account data as asked, and slices it', async () => {
    const { server } = await startChain()
    const rent = 'SysvarRent111111111111111111111111111111111'
    const read = async (options?: object) => {
      const { result, error } = await call(server.url, 'getAccountInfo', [rent, options ?? null])
      return error ?? (result as { value: { data: unknown } }).value.data
    }
    const data = Buffer.from([48, 27, 0, 0, 0, 0, 0, 0])
    const dataSlice = { offset: 0, length: 8 }
    expect(await read({ encoding: 'base64', dataSlice })).toEqual([data.toString('base64'), 'base64'])
    expect(await read({ encoding: 'base58', dataSlice })).toEqual([base58.encode(data), 'base58'])
    expect(await read({ dataSlice })).toBe(base58.encode(data))
    expect(await read({ encoding: 'base64', dataSlice: { offset: 16, length: 99 } })).toEqual([
      'Mg==',
      'base64',
    ])
    expect(await read({ encoding: 'base64', dataSlice: { offset: 99, length: 1 } })).toEqual(['', 'base64'])
    const [packed, encoding] = (await read({ encoding: 'base64+zstd', dataSlice })) as [string, string]
    expect(encoding).toBe('base64+zstd')
    expect(zstdDecompressSync(Buffer.from(packed, 'base64'))).toEqual(data)
    expect(await read({ encoding: 'hex' })).toMatchObject({ code: -32602 })
    const long = await call(server.url, 'getAccountInfo', [
      'SysvarS1otHistory11111111111111111111111111',
      { encoding: 'base58' },
    ])
    expect(long.error).toMatchObject({ code: -32600, message: expect.stringContaining('Base64') })
    expect(
      (await call(server.url, 'getAccountInfo', [Keypair.generate().publicKey.toBase58()])).result,
    ).toMatchObject({ value: null })
  })

  test('writes integers beyond 2^53 in full', async () => {
    const { server } = await startChain()
    const wallet = Keypair.generate().publicKey.toBase58()
    await callText(server.url, 'requestAirdrop', `["${wallet}", 9007199254740993]`)
    const response = await fetch(server.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [wallet] }),
    })
    const text = await response.text()
    expect(text).toContain('"lamports":9007199254740993')
    expect(text).toContain('"rentEpoch":18446744073709551615')
  })

  test('refuses too many accounts and signatures', async () => {
    const { server } = await startChain()
    const keys = Array.from({ length: 101 }, () => Keypair.generate().publicKey.toBase58())
    expect((await call(server.url, 'getMultipleAccounts', [keys])).error?.code).toBe(-32602)
    expect((await call(server.url, 'getMultipleAccounts', [keys.slice(1)])).error).toBeUndefined()
  })
})

describe('garbage', () => {
  test('answers no method with an internal error, for any parameters', async () => {
    const { server, chain } = await startChain()
    const key = Keypair.generate().publicKey.toBase58()
    const values = [
      null,
      true,
      -1,
      0,
      1.5,
      1e300,
      '',
      key,
      'AAAA',
      'x'.repeat(3_000),
      [],
      [key],
      {},
      { encoding: 'base64' },
      { amount: 1 },
      { absoluteTimestamp: -1 },
    ]
    for (const method of methods.keys()) {
      for (const first of values) {
        for (const second of values) {
          const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [first, second] })
          expect(await answer(chain, request), request).not.toContain('-32603')
        }
      }
    }
    expect((await call(server.url, 'getHealth')).result).toBe('ok')
  })

  test('refuses damaged transactions before LiteSVM reads them, which would crash', async () => {
    const { server, connection } = await startChain()
    const from = await fundedWallet(connection)
    const { wire } = await signedTransfer(connection, from, Keypair.generate(), 1_000_000)
    let seed = 42
    const random = (below: number) => {
      seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
      return Math.floor((seed / 2 ** 32) * below)
    }
    const options = { encoding: 'base64', replaceRecentBlockhash: true }
    for (let length = 0; length < wire.length; length++) {
      const { error } = await call(server.url, 'simulateTransaction', [
        wire.subarray(0, length).toString('base64'),
        options,
      ])
      expect(error?.code).toBe(-32602)
    }
    for (let round = 0; round < 500; round++) {
      const damaged = Buffer.from(wire)
      for (let count = 0; count <= random(3); count++)
        damaged[random(2) ? 64 + random(6) : random(wire.length)] = random(256)
      for (const method of ['simulateTransaction', 'sendTransaction']) {
        const { error } = await call(server.url, method, [damaged.toString('base64'), options])
        expect([undefined, -32602, -32002, -32003]).toContain(error?.code)
      }
    }
    expect((await call(server.url, 'getHealth')).result).toBe('ok')
  })

  test('the WebSocket survives garbage and offers subscriptions only', async () => {
    const { server, connection } = await startChain()
    const socket = new WebSocket(`ws://127.0.0.1:${server.port + 1}`)
    await new Promise((opened) => socket.once('open', opened))
    const ask = (text: string) =>
      new Promise<Answer>((resolve) => {
        socket.once('message', (data) => resolve(JSON.parse(data.toString())))
        socket.send(text)
      })
    expect((await ask('{')).error?.code).toBe(-32700)
    expect((await ask('[]')).error?.code).toBe(-32600)
    const request = (method: string, params: unknown[]) =>
      ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    expect((await request('accountSubscribe', [])).error?.code).toBe(-32601)
    expect((await request('getSlot', [])).error?.code).toBe(-32601)
    expect((await request('signatureSubscribe', ['x'])).error?.code).toBe(-32602)
    expect((await request('signatureUnsubscribe', [7])).error?.code).toBe(-32602)
    const wallet = Keypair.generate()
    const unknown = await signedTransfer(connection, wallet, wallet, 1)
    expect(unknown.transaction.signature).not.toBeNull()
    const { result: id } = await request('slotSubscribe', [])
    expect((await request('signatureUnsubscribe', [id])).error?.code).toBe(-32602)
    expect((await request('slotUnsubscribe', [id])).result).toBe(true)
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ping' }))
    expect((await request('slotSubscribe', [])).result).toBe(1)
    socket.terminate()
    expect((await call(server.url, 'getHealth')).result).toBe('ok')
  })
})

describe('the RPC node', () => {
  test('a taken port is named, whichever of the two it is', async () => {
    const { server, chain } = await startChain()
    await expect(serveChain(chain, server.port)).rejects.toThrow(`port ${server.port} on 127.0.0.1 is taken`)
    // The port before it is free, unless another process of this machine has it.
    await expect(serveChain(chain, server.port - 1)).rejects.toThrow(
      new RegExp(`port (${server.port}|${server.port - 1}) on 127.0.0.1 is taken`),
    )
  })

  test('refuses pages of other hosts, over HTTP and by a WebSocket', async () => {
    const { server } = await startChain()
    const origin = 'https://evil.example'
    expect((await fetch(server.url, { method: 'POST', body: '{}', headers: { origin } })).status).toBe(403)
    const socket = new WebSocket(`ws://127.0.0.1:${server.port + 1}`, { headers: { origin } })
    const [error] = await once(socket, 'error')
    expect(error.message).toContain('401')
    const local = new WebSocket(`ws://127.0.0.1:${server.port + 1}`, { origin: 'http://localhost:8787' })
    await once(local, 'open')
    local.terminate()
  })

  test('works without a port, as a fetch handler', async () => {
    const { chain } = await startChain()
    const handle = chainHandler(chain)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getVersion' })
    const response = await handle(new Request('https://api.devnet.solana.com/', { method: 'POST', body }))
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({ result: { 'solana-core': expect.any(String) } })
    expect((await handle(new Request('https://rpc/', { method: 'DELETE' }))).status).toBe(405)
    expect((await handle(new Request('https://rpc/', { method: 'OPTIONS' }))).status).toBe(204)
    expect(await (await handle(new Request('https://rpc/health'))).text()).toBe('ok')
    const long = 'x'.repeat(51 * 1024)
    expect((await handle(new Request('https://rpc/', { method: 'POST', body: long }))).status).toBe(413)
  })
})

async function post(url: string, body: string): Promise<Answer> {
  const answer: Answer = await (await fetch(url, { method: 'POST', body })).json()
  return answer
}
