import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { X402Accepts } from '../../../lib/client/generated/types.ts'
import { customerText, INSTALL_CUSTOMER } from '../../../lib/console/views/selling/customer-text.ts'
import { FUNDING } from '../../../lib/console/views/selling/local-funding.ts'
import {
  INSTALL,
  isRoute,
  portOf,
  routeOf,
  serverText,
} from '../../../lib/console/views/selling/server-text.ts'
import { AGENT_ID, MINT, NETWORK, OTHER_WALLET } from '../../../schema/examples.ts'

const PRICE = { name: 'GET /forecast', amount: 250_000_000n, asset: MINT }
const ACCEPTS: X402Accepts = {
  scheme: 'exact',
  network: NETWORK,
  payTo: OTHER_WALLET,
  price: { amount: '250000000', asset: MINT, extra: { agentId: AGENT_ID, priceName: PRICE.name } },
  maxTimeoutSeconds: 60,
  extra: { paymentFlow: 'upfront' },
}

const AGENT = {
  name: 'Tern',
  description: "Says ‘rain’, it’s 'sure'.",
  apiEndpoint: 'http://localhost:4021/',
}

const elsewhere = createContext()

/** The value that a server of this text takes for `accepts`. */
function acceptsIn(text: string): unknown {
  const [, source] = /^const accepts = (\{[\s\S]*?^\})$/m.exec(text) ?? []
  // Through JSON, since objects of another context have other prototypes.
  return JSON.parse(runInContext(`JSON.stringify(${source})`, elsewhere))
}

describe('the route of a price', () => {
  it.each([
    ['GET /forecast', 'GET', '/forecast'],
    ['POST /v1/cities/:city/days', 'POST', '/v1/cities/:city/days'],
    ['forecast', 'GET', '/forecast'],
    ['Wetter für morgen!', 'GET', '/wetter-fu-r-morgen'],
    ['GET /it’s', 'GET', '/get-it-s'],
    ['天気', 'GET', '/'],
  ])('of %j is %s %s', (name, method, path) => {
    expect(routeOf(name)).toEqual({ method, path })
  })

  it.each([
    ['GET /forecast', true],
    [' POST /v1/cities/:city ', true],
    ['weather', false],
    ['GET weather', false],
    ['get /weather', false],
  ])('is the name itself for %j: %s', (name, expected) => {
    expect(isRoute(name)).toBe(expected)
  })
})

it.each([
  ['http://localhost:4021', 4021],
  ['http://127.0.0.1:4021/v1', 4021],
  ['HTTP://LOCALHOST', 80],
  ['https://api.example.com:8443', 3000],
  ['http://localhost.example.com:4021', 3000],
  [undefined, 3000],
])('listens, for an API at %j, on port %i', (apiEndpoint, port) => {
  expect(portOf(apiEndpoint)).toBe(port)
})

describe('the text of a server', () => {
  it('names the route, the price and what the service accepts, and no key', () => {
    const text = serverText(PRICE, ACCEPTS, MINT, AGENT)
    expect(text).toMatch(/^\/\/ server\.mjs sells GET \/forecast for 0\.25 CRED a request\.\n/)
    expect(text).toContain(
      "paymentMiddleware({ 'GET /forecast': { accepts, description, extensions } }, server)",
    )
    expect(text).toContain("app.get('/forecast', ")
    expect(text).toContain('PORT = 4021 } = process.env')
    expect(text).toContain("const description = 'Says ‘rain’, it’s \\'sure\\'.'")
    expect(acceptsIn(text)).toEqual(ACCEPTS)
    expect(text.split('\n').filter((line) => line.length > 110)).toEqual([])
  })

  it.each([
    ['GET /forecast', '{ output'],
    ['POST /forecasts', "{ bodyType: 'json', output"],
  ])('declares %s for the catalog', (name, start) => {
    expect(serverText({ ...PRICE, name }, ACCEPTS, MINT, AGENT)).toContain(
      `declareDiscoveryExtension(${start}`,
    )
  })

  it('says the amount in the smallest units of a token that is not CRED', () => {
    const text = serverText({ ...PRICE, asset: OTHER_WALLET }, ACCEPTS, MINT, AGENT)
    expect(text).toContain(`for 250000000 smallest units of ${OTHER_WALLET} a request.`)
  })

  it('has every value to the last character, and no code of a price’s name', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 30 })
    const deep = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(anything, fc.integer(), fc.boolean()))
    fc.assert(
      fc.property(anything, deep, (name, extra) => {
        const given = { ...ACCEPTS, payTo: name, extra } as unknown as X402Accepts
        const text = serverText({ ...PRICE, name }, given, MINT, AGENT)
        expect(acceptsIn(text)).toEqual(JSON.parse(JSON.stringify(given)))
        const { method, path } = routeOf(name)
        expect(`${method} ${path}`).toMatch(/^[A-Z]+ \/[\w\-.~/:*]*$/)
      }),
    )
  })

  it.each([
    [INSTALL, ['core', 'extensions', 'hono', 'svm']],
    [INSTALL_CUSTOMER, ['fetch', 'svm']],
  ])('is installed by the major versions that this project is tested with: %s', (command, names) => {
    const { devDependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
    )
    const pinned = [...command.matchAll(/@x402\/(\w+)@(\d+)/g)]
    expect(pinned.map(([, name]) => name)).toEqual(names)
    for (const [, name, major] of pinned) expect(devDependencies[`@x402/${name}`].split('.')[0]).toBe(major)
  })
})

describe('the text of a customer', () => {
  const CHAIN = { rpcUrl: 'http://127.0.0.1:8899/token', funding: FUNDING }
  const textFor = (name: string, apiEndpoint: string | undefined, chain?: typeof CHAIN) =>
    customerText({ ...PRICE, name }, ACCEPTS, MINT, apiEndpoint, chain)

  it.each([
    ['GET /forecast', 'https://api.example.com/v1', 'https://api.example.com/forecast', '(url)'],
    ['POST /days', 'http://localhost:4021', 'http://localhost:4021/days', "(url, { method: 'POST' })"],
    ['GET /forecast', undefined, 'http://localhost:3000/forecast', '(url)'],
  ])('asks %s at %j, and pays the price at most', (name, apiEndpoint, url, call) => {
    const text = textFor(name, apiEndpoint)
    expect(text).toContain(`process.argv[2] ?? '${url}'`)
    expect(text).toContain(`wrapFetchWithPayment(fetch, client)${call}`)
    expect(text).toContain("const price = '250000000'")
    expect(text).toContain(`const asset = '${MINT}'`)
    expect(text.split('\n').filter((line) => line.length > 110)).toEqual([])
  })

  it('gives its wallet tokens on the local chain only', () => {
    expect(textFor('GET /forecast', undefined, CHAIN)).toMatch(
      /rpcUrl = '.*token'[\s\S]*surfnet_setTokenAccount/,
    )
    expect(textFor('GET /forecast', undefined)).not.toMatch(/rpcUrl|surfnet/)
  })
})
