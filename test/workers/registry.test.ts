import { base58 } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { refusedPaths } from '../support/agents.ts'
import { CANONICAL_MANIFEST, manifest, messageFor, signed, signedWithManifest } from '../support/registry.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import {
  bytesOf,
  type SignatureCase,
  satisfiesEquation,
  smallOrderForgeries,
  speccheckCases,
  wycheproofCases,
} from '../support/signatures.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'registry'] })
})
afterAll(() => service.stop())

const now = () => Math.floor(service.clock.now())
const register = (body: unknown) => service.call('POST', '/registry/agents', { body })
const read = (pubkey: unknown) => service.call('GET', `/registry/agents/${pubkey}`)
const entryOf = (answer: Answer) => answer.body.agent as Body
/** A body of the same key, signed for its timestamp. */
const signedBy = (wallet: ReturnType<typeof createWallet>, timestamp: number, changes: Body = {}) =>
  signed(timestamp, changes, wallet)

/** A refusal names the failed check, the server's time and the skew. */
function expectRefused(answer: Answer, status: number, code: string, check: 'timestamp' | 'signature') {
  expect(answer.body, answer.text).toMatchObject({ status, code, errors: [{ path: check }] })
  expect(answer.body.detail).toMatch(
    new RegExp(
      `^The ${check} check failed: .+ Server time: \\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z \\(\\d{13}\\); the timestamp is \\d+ ms (behind|ahead of) it\\.$`,
    ),
  )
}

describe('a registration', () => {
  it('signed by its key is stored, listed and read', async () => {
    const timestamp = now()
    const developer = createWallet().publicKey
    const answer = await register(
      signed(timestamp, {
        name: ' Ledger Keeper ',
        agentType: 'defi',
        capabilities: ['portfolio', 'tax_optimization', 'portfolio'],
        feeModel: 'percentage',
        feeAmount: 250,
        description: 'Keeps ledgers.\nAll of them.',
        website: 'https://keeper.example.com',
        logoUrl: 'https://keeper.example.com/logo.png',
        apiEndpoint: 'http://keeper.example.com/mcp',
        apiProtocol: 'mcp',
        developerPubkey: developer,
        contactEmail: 'ops@keeper.example.com',
      }),
    )
    expect(answer.status, answer.text).toBe(201)
    const entry = entryOf(answer)
    expect(entry).toEqual({
      pubkey: entry.pubkey,
      name: 'Ledger Keeper',
      agentType: 'defi',
      capabilities: ['portfolio', 'tax_optimization'],
      layers: [1, 4, 17, 19],
      feeModel: 'percentage',
      feeAmount: 250,
      description: 'Keeps ledgers.\nAll of them.',
      website: 'https://keeper.example.com',
      logoUrl: 'https://keeper.example.com/logo.png',
      apiEndpoint: 'http://keeper.example.com/mcp',
      apiProtocol: 'mcp',
      developerPubkey: developer,
      status: 'active',
      timestamp,
      registeredAt: entry.registeredAt,
      updatedAt: entry.registeredAt,
    })
    const found = await read(entry.pubkey)
    const shown = { ...entry, endpoint: { status: 'unknown', card: 'none' } }
    expect(found.body).toEqual(shown)
    const list = await service.call('GET', '/registry/agents?agentType=defi')
    expect((list.body.agents as Body[])[0]).toEqual(shown)
    const searched = await service.call('GET', `/registry/agents?q=${encodeURIComponent(String(entry.name))}`)
    expect((searched.body.agents as Body[])[0]).toEqual(shown)
    for (const { text } of [answer, found, list, searched]) expect(text).not.toContain('ops@keeper')
  })

  it('stores a manifest, and shows it as declared and not verified', async () => {
    const declared = manifest({ enterpriseDataBoundary: 'company_hosted_no_raw_export' })
    const canonical = CANONICAL_MANIFEST.replace('not_applicable', 'company_hosted_no_raw_export')
    const answer = await register(signedWithManifest(now(), declared, canonical))
    expect(answer.status, answer.text).toBe(201)
    const { pubkey } = entryOf(answer)
    const list = await service.call('GET', '/registry/agents?limit=1')
    for (const entry of [entryOf(answer), (await read(pubkey)).body, (list.body.agents as Body[])[0]]) {
      expect(entry).toMatchObject({
        pubkey,
        serviceManifest: declared,
        serviceManifestStatus: { declaredBy: 'operator', verified: false },
      })
    }
  })

  it('shows no manifest status without a manifest', async () => {
    const entry = entryOf(await register(signed(now())))
    expect(entry).not.toHaveProperty('serviceManifest')
    expect(entry).not.toHaveProperty('serviceManifestStatus')
  })

  it.each([
    { enterpriseDataBoundary: 'minimum_necessary_api', computePolicy: 'enterprise_approved_workloads' },
    { operationMode: 'continuous', tenancy: 'multi_principal_isolated' },
    { operationMode: 'hybrid', computePolicy: 'non_sensitive_only' },
  ])('accepts a manifest with %j', async (changes) => {
    const canonical = Object.entries(changes).reduce(
      (text, [part, value]) => text.replace(new RegExp(`"${part}":"\\w+"`), `"${part}":"${value}"`),
      CANONICAL_MANIFEST,
    )
    const answer = await register(signedWithManifest(now(), manifest(changes), canonical))
    expect(answer.status, answer.text).toBe(201)
    expect(entryOf(answer).serviceManifest).toMatchObject(changes)
  })

  it('is rejected by path when its manifest is invalid', async () => {
    const { authority, ...rest } = manifest()
    const { audit: _, ...lacking } = authority as Body
    const answer = await register(
      signed(now(), {
        serviceManifest: { ...rest, authority: lacking, tenancy: 'many', uptime: 'always' },
      }),
    )
    expect(answer.status).toBe(400)
    expect(refusedPaths(answer).sort()).toEqual([
      'serviceManifest.authority.audit',
      'serviceManifest.tenancy',
      'serviceManifest.uptime',
    ])
  })

  it.each(['personal', 'commerce', 'defi', 'data', 'infrastructure', 'business'])(
    'may be of the type %s',
    async (agentType) => {
      const answer = await register(signed(now(), { agentType }))
      expect(answer.status).toBe(201)
      expect(entryOf(answer).agentType).toBe(agentType)
    },
  )

  it.each(
    ['free', 'percentage', 'flat', 'subscription'].flatMap((model) =>
      [undefined, 0, 0.1, 5e-324, 1_000_000_007.25, Number.MAX_SAFE_INTEGER].map(
        (amount) => [model, amount] as const,
      ),
    ),
  )('may have the fee model %s and the amount %s, to the last digit', async (feeModel, feeAmount) => {
    const answer = await register(signed(now(), { feeModel, feeAmount }))
    expect(answer.status, answer.text).toBe(201)
    const { pubkey } = entryOf(answer)
    expect((await read(pubkey)).body).toMatchObject({ feeModel })
    expect((await read(pubkey)).body.feeAmount).toBe(feeAmount)
  })

  it('may have each of the 26 capabilities, which give it their layers', async () => {
    const { body } = await service.call('GET', '/registry/catalog')
    const catalog = body.capabilities as { id: string; layers: number[] }[]
    expect(catalog).toHaveLength(26)
    for (const { id, layers } of catalog) {
      const answer = await register(signed(now(), { capabilities: [id] }))
      expect(entryOf(answer), id).toMatchObject({ capabilities: [id], layers })
    }
    const all = await register(signed(now(), { capabilities: catalog.map(({ id }) => id) }))
    expect(entryOf(all).layers).toEqual(Array.from({ length: 23 }, (_, i) => i + 1))
  })

  it('may be signed in Solana’s off-chain envelope', async () => {
    const wallet = createWallet()
    const timestamp = now()
    const text = Buffer.from(messageFor(wallet.publicKey, timestamp))
    const envelope = Buffer.concat([
      Buffer.from([0xff]),
      Buffer.from('solana offchain'),
      Buffer.from([0, 1, text.length & 0xff, text.length >> 8]),
      text,
    ])
    const body = signedBy(wallet, timestamp, { signature: wallet.sign(envelope) })
    expect((await register(body)).status).toBe(201)
  })

  it('is 404 for an unknown key, and 400 for an invalid one', async () => {
    const unknown = await read(createWallet().publicKey)
    expect(unknown.body).toMatchObject({ status: 404, code: 'registration_not_found' })
    expect((await read('nobody')).status).toBe(400)
  })
})

describe('the timestamp', () => {
  // Time passes until it is looked at; rules.test.ts has the limit to the millisecond.
  it.each([-200_000, 299_000])('%i ms from the server’s time is accepted', async (skew) => {
    expect((await register(signed(now() + skew))).status).toBe(201)
  })

  it.each([-301_000, 400_000])('%i ms from the server’s time is rejected', async (skew) => {
    const answer = await register(signed(now() + skew))
    expectRefused(answer, 401, 'registration_refused', 'timestamp')
    expect(answer.body.detail).toContain(skew < 0 ? 'ms behind it' : 'ms ahead of it')
  })

  it('is rejected when too old, before the signature is checked', async () => {
    const wallet = createWallet()
    const body = signedBy(wallet, now())
    await service.clock.travelTo(service.clock.now() + 200_000)
    expect((await register(body)).status).toBe(201)
    await service.clock.travelTo(service.clock.now() + 101_000)
    expectRefused(await register(body), 401, 'registration_refused', 'timestamp')
    const forged = { ...body, signature: 'none' }
    expectRefused(await register(forged), 401, 'registration_refused', 'timestamp')
  })

  it('is rejected when it differs from the signed one', async () => {
    const body = signed(now())
    const answer = await register({ ...body, timestamp: Number(body.timestamp) + 1 })
    expectRefused(answer, 401, 'registration_refused', 'signature')
  })

  it('must be a JSON integer', async () => {
    for (const timestamp of [now() + 0.5, String(now()), new Date(now()).toISOString(), null]) {
      const answer = await register({ ...signed(now()), timestamp })
      expect(refusedPaths(answer)).toEqual(['timestamp'])
    }
  })
})

describe('the signature', () => {
  it('is rejected for another key, manifest or text', async () => {
    const wallet = createWallet()
    const timestamp = now()
    const plain = signedBy(wallet, timestamp)
    const withManifest = signedWithManifest(timestamp, manifest(), CANONICAL_MANIFEST, wallet)
    const text = messageFor(wallet.publicKey, timestamp)
    const signatures: [string, Body][] = [
      ['another key', { ...plain, pubkey: createWallet().publicKey }],
      ['without the manifest', { ...plain, serviceManifest: manifest() }],
      ['with a manifest that was not sent', { ...plain, signature: withManifest.signature }],
      ['another manifest', { ...withManifest, serviceManifest: manifest({ operationMode: 'hybrid' }) }],
      ...[`${text}\n`, text.replaceAll('\n', '\r\n'), text.toLowerCase(), ''].map((other): [string, Body] => [
        `text ${other}`,
        { ...plain, signature: wallet.sign(other) },
      ]),
      [
        'not canonical',
        {
          ...withManifest,
          signature: wallet.sign(messageFor(wallet.publicKey, timestamp, JSON.stringify(manifest()))),
        },
      ],
    ]
    for (const [what, body] of signatures) {
      const answer = await register(body)
      expect(answer.status, what).toBe(401)
      expectRefused(answer, 401, 'registration_refused', 'signature')
    }
    expect((await read(wallet.publicKey)).status).toBe(404)
  })

  it.each(['', 'none', '0OIl', '1'.repeat(64), '1'.repeat(10_000), base58.encode(new Uint8Array(63))])(
    'that does not decode is refused: %.20s',
    async (signature) => {
      expectRefused(await register(signed(now(), { signature })), 401, 'registration_refused', 'signature')
    },
  )

  const requestOf = ({ publicKey, signature }: SignatureCase, timestamp: number) =>
    signed(timestamp, {
      pubkey: base58.encode(bytesOf(publicKey)),
      signature: base58.encode(bytesOf(signature)),
    })

  it('is rejected with a point of small order', async () => {
    let timestamp = now()
    const forgeries = smallOrderForgeries((publicKey) =>
      Buffer.from(messageFor(base58.encode(bytesOf(publicKey)), ++timestamp)),
    )
    expect(timestamp - now()).toBeLessThan(60_000)
    expect(forgeries).toHaveLength(16)
    for (const forgery of forgeries) {
      expect(satisfiesEquation(forgery), forgery.name).toBe(true)
      const [, signedFor] = /Timestamp: (\d+)/.exec(Buffer.from(forgery.message, 'hex').toString()) ?? []
      const answer = await register(requestOf(forgery, Number(signedFor)))
      expectRefused(answer, 401, 'registration_refused', 'signature')
    }
  })

  it('is rejected for all shared vectors', async () => {
    for (const vector of [...speccheckCases(), ...wycheproofCases()]) {
      const answer = await register(requestOf(vector, now()))
      expect(answer.body, vector.name).toMatchObject({ status: 401, code: 'registration_refused' })
    }
  })
})

describe('a signature used again', () => {
  it('returns the same answer for the same body in any order', async () => {
    const body = signedWithManifest(now(), manifest(), CANONICAL_MANIFEST)
    const first = await register(body)
    const again = await register(Object.fromEntries(Object.entries(body).reverse()))
    expect([again.status, again.text]).toEqual([201, first.text])
    expect([first.status, (await read(body.pubkey)).body]).toEqual([201, entryOf(first)])
  })

  it('returns the same answer for the same body of an update', async () => {
    const wallet = createWallet()
    const timestamp = now()
    await register(signedBy(wallet, timestamp))
    const update = signedBy(wallet, timestamp + 1, { name: 'Renamed' })
    const first = await register(update)
    const again = await register(update)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.text).toBe(first.text)
  })

  it.each<Body>([
    { name: 'Another' },
    { feeModel: 'flat' },
    { feeAmount: 1 },
    { contactEmail: 'a@example.com' },
  ])('is rejected with another body (%j)', async (changes) => {
    const body = signed(now())
    const first = await register(body)
    expectRefused(await register({ ...body, ...changes }), 409, 'signature_used', 'signature')
    expect((await read(body.pubkey)).body).toEqual(entryOf(first))
  })

  it('stores one of many concurrent bodies', async () => {
    const body = signed(now())
    const names = Array.from({ length: 24 }, (_, i) => `Name ${i % 8}`)
    const answers = await Promise.all(names.map((name) => register({ ...body, name })))
    const stored = (await read(body.pubkey)).body
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBe(names[i] === stored.name ? 201 : 409)
      if (answer.status === 201) expect(entryOf(answer)).toEqual(stored)
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  })
})

describe('another registration of the same key', () => {
  it('replaces the whole entry, except its registration time, when later', async () => {
    const wallet = createWallet()
    const timestamp = now()
    const first = entryOf(
      await register(signedWithManifest(timestamp, manifest(), CANONICAL_MANIFEST, wallet)),
    )
    const update = await register(
      signedBy(wallet, timestamp + 1, {
        name: 'Renamed',
        capabilities: ['gaming'],
        feeModel: 'flat',
        feeAmount: 7,
      }),
    )
    expect(update.status).toBe(200)
    const entry = entryOf(update)
    expect(entry).toEqual({
      pubkey: wallet.publicKey,
      name: 'Renamed',
      agentType: 'personal',
      capabilities: ['gaming'],
      layers: [23],
      feeModel: 'flat',
      feeAmount: 7,
      status: 'active',
      timestamp: timestamp + 1,
      registeredAt: first.registeredAt,
      updatedAt: entry.updatedAt,
    })
    expect((await read(wallet.publicKey)).body).toEqual(entry)
    const back = await register(signedBy(wallet, timestamp + 2))
    expect(entryOf(back)).not.toHaveProperty('feeAmount')
  })

  it('is rejected when not later', async () => {
    const wallet = createWallet()
    const timestamp = now()
    const first = signedBy(wallet, timestamp)
    await register(first)
    const { body: stored } = await read(wallet.publicKey)
    const older = await register(signedBy(wallet, timestamp - 1))
    expectRefused(older, 409, 'registration_outdated', 'timestamp')
    const same = await register(signedWithManifest(timestamp, manifest(), CANONICAL_MANIFEST, wallet))
    expectRefused(same, 409, 'registration_outdated', 'timestamp')
    expect((await read(wallet.publicKey)).body).toEqual(stored)
    await register(signedBy(wallet, timestamp + 1))
    expectRefused(await register(first), 409, 'registration_outdated', 'timestamp')
  })
})

describe('the list', () => {
  /** Registers one agent and gives its key. */
  const add = async (changes: Body) => {
    const answer = await register(signed(now(), changes))
    expect(answer.status, answer.text).toBe(201)
    return String(entryOf(answer).pubkey)
  }
  const keysOf = (answer: Answer) => (answer.body.agents as Body[]).map(({ pubkey }) => String(pubkey))

  it('filters by type, capability and layer, and by all of them', async () => {
    const both = await add({ agentType: 'business', capabilities: ['portfolio', 'energy'] })
    const energy = await add({ agentType: 'data', capabilities: ['energy'] })
    const inventory = await add({ agentType: 'business', capabilities: ['inventory'] })
    const found = async (query: string) => {
      const keys = keysOf(await service.call('GET', `/registry/agents?${query}&limit=100`))
      return [both, energy, inventory].filter((key) => keys.includes(key))
    }
    expect(await found('agentType=business')).toEqual([both, inventory])
    expect(await found('capability=energy')).toEqual([both, energy])
    expect(await found('layer=19')).toEqual([both, inventory])
    expect(await found('layer=8&agentType=data')).toEqual([energy])
    expect(await found('capability=portfolio&layer=8&agentType=business')).toEqual([both])
    expect(await found('capability=inventory&layer=8')).toEqual([])
    expect((await service.call('GET', '/registry/agents?layer=23')).status).toBe(200)
  })

  it('returns every agent once while others are added and updated', async () => {
    const wallets = Array.from({ length: 7 }, () => createWallet())
    const rare = { agentType: 'commerce', capabilities: ['swarm', 'collateral'] }
    for (const wallet of wallets) expect((await register(signedBy(wallet, now(), rare))).status).toBe(201)
    const seen: string[] = []
    let path: string | undefined =
      '/registry/agents?agentType=commerce&capability=collateral&layer=22&limit=2'
    for (let page = 0; path !== undefined; page++) {
      const answer: Answer = await service.call('GET', path)
      expect(answer.body.count).toBe(keysOf(answer).length)
      seen.push(...keysOf(answer))
      const link = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      expect(link === undefined).toBe(answer.body.nextCursor === undefined)
      path = link?.slice(link.indexOf('/v1') + 3)
      await add(rare)
      for (const wallet of wallets) await register(signedBy(wallet, now() + page + 1, rare))
    }
    expect(seen).toEqual(wallets.map(({ publicKey }) => publicKey).reverse())
  })

  it.each([
    'agentType=autonomous',
    'capability=cooking',
    'layer=0',
    'layer=24',
    'layer=x',
    'limit=0',
    'cursor=x',
  ])('rejects %s by name', async (query) => {
    const answer = await service.call('GET', `/registry/agents?${query}`)
    expect(answer.status).toBe(400)
    expect(refusedPaths(answer)).toEqual([query.split('=')[0]])
  })

  it('returns 50 agents by default, at most 100, and 304 when unchanged', async () => {
    while ((await service.call('GET', '/registry/agents?limit=100')).body.nextCursor === undefined) {
      await Promise.all(Array.from({ length: 10 }, () => add({})))
    }
    expect((await service.call('GET', '/registry/agents')).body.count).toBe(50)
    const most = await service.call('GET', '/registry/agents?limit=1000')
    expect(most.body.count).toBe(100)
    const headers = { 'if-none-match': String(most.headers.get('etag')) }
    expect((await service.call('GET', '/registry/agents?limit=1000', { headers })).status).toBe(304)
  })
})

describe('the catalog', () => {
  it('lists types, fee models with units, capabilities, manifest and message', async () => {
    const { body } = await service.call('GET', '/registry/catalog')
    expect(body).toMatchObject({
      contractVersion: '1.0.0',
      apiProtocols: ['mcp', 'a2a-jsonrpc', 'a2a-http', 'openapi', 'http'],
      serviceManifest: {
        version: 1,
        declaredBy: 'operator',
        verified: false,
        schema: {
          required: [
            'version',
            'operationMode',
            'tenancy',
            'authority',
            'enterpriseDataBoundary',
            'computePolicy',
          ],
          properties: { authority: { properties: { audit: { enum: ['per_principal'] } } } },
          additionalProperties: false,
        },
      },
    })
    expect((body.agentTypes as Body[]).map(({ id }) => id)).toEqual([
      'personal',
      'commerce',
      'defi',
      'data',
      'infrastructure',
      'business',
    ])
    expect((body.feeModels as Body[]).map(({ id, unit }) => [id, unit])).toEqual([
      ['free', undefined],
      ['percentage', 'basis points'],
      ['flat', 'lamports'],
      ['subscription', 'lamports'],
    ])
  })

  it('has a template for the message', async () => {
    const wallet = createWallet()
    const timestamp = now()
    const { template, manifestTemplate } = (await service.call('GET', '/registry/catalog')).body
      .message as Record<string, string>
    const text = `${template}${manifestTemplate}`
      .replace('{pubkey}', wallet.publicKey)
      .replace('{timestamp}', String(timestamp))
      .replace('{serviceManifest}', CANONICAL_MANIFEST)
    expect(text).toBe(messageFor(wallet.publicKey, timestamp, CANONICAL_MANIFEST))
  })
})

describe('the message endpoint', () => {
  const prepare = (body: unknown) => service.call('POST', '/registry/message', { body })

  it('returns the exact text and bytes to sign, the skew, and missing fields', async () => {
    const { signature: _, name: __, ...body } = signedWithManifest(now() - 60_000)
    const answer = await prepare(body)
    expect(answer.status, answer.text).toBe(200)
    const message = messageFor(body.pubkey, body.timestamp, CANONICAL_MANIFEST)
    expect(answer.body).toMatchObject({
      message,
      messageBase64: Buffer.from(message).toString('base64'),
      missing: ['name', 'signature'],
    })
    const { serverTime, skewMs } = answer.body
    expect(Number(body.timestamp) - Date.parse(String(serverTime))).toBe(skewMs)
    expect(skewMs).toBeLessThanOrEqual(-60_000)
  })

  it('returns a message whose signature is valid only for this deployment', async () => {
    const wallet = createWallet()
    const entry = signed(now(), {}, wallet)
    const { namedMessage, namedMessageBase64, message } = (await prepare(entry)).body
    expect(Buffer.from(String(namedMessageBase64), 'base64').toString()).toBe(namedMessage)
    expect(String(namedMessage).replace(`Service: ${service.origin}\n`, '')).toBe(message)
    const elsewhere = String(namedMessage).replace(service.origin, 'https://other.example')
    const refused = await register({ ...entry, signature: wallet.sign(elsewhere) })
    expect([refused.status, refused.body.code]).toEqual([401, 'registration_refused'])
    const named = await register({ ...entry, signature: wallet.sign(String(namedMessage)) })
    expect(named.status).toBe(201)
    const { namedTemplate } = (await service.call('GET', '/registry/catalog')).body.message as Body
    const text = String(namedTemplate)
      .replace('{pubkey}', wallet.publicKey)
      .replace('{timestamp}', String(entry.timestamp))
      .replace('{service}', service.origin)
    expect(text).toBe(namedMessage)
  })

  it('needs only a key and a timestamp, and stores nothing', async () => {
    const { publicKey: pubkey } = createWallet()
    const answer = await prepare({ pubkey, timestamp: 1 })
    expect(answer.body.message).toBe(messageFor(pubkey, 1))
    expect(answer.body.missing).toEqual(['name', 'signature', 'agentType', 'capabilities', 'feeModel'])
    expect(refusedPaths(await prepare({}))).toEqual(['pubkey', 'timestamp'])
    expect((await read(pubkey)).status).toBe(404)
  })

  it('rejects what the registration would reject', async () => {
    const answer = await prepare({ ...signed(now()), agentType: 'oracle', extra: 1 })
    expect(refusedPaths(answer).sort()).toEqual(['agentType', 'extra'])
    for (const signature of ['', 'none', 'z'.repeat(89)])
      expect(refusedPaths(await prepare({ ...signed(now()), signature }))).toEqual(['signature'])
  })
})

describe('round trips', () => {
  it('are one for a registration, a list and an entry, and none for errors', async () => {
    const body = signed(now())
    expect(await service.countSql(() => register(body))).toBe(1)
    expect(await service.countSql(() => register(body))).toBe(1)
    expect(await service.countSql(() => service.call('GET', '/registry/agents?layer=1'))).toBe(1)
    expect(await service.countSql(() => read(body.pubkey))).toBe(1)
    const none = await service.countSql(async () => {
      await service.call('GET', '/registry/catalog')
      await service.call('POST', '/registry/message', { body })
      await register({ ...body, name: '' })
      await register({ ...body, signature: 'none' })
      await register(signed(now() - 400_000))
    })
    expect(none).toBe(0)
  })

  it('are 503 when they fail, and the registration can be sent again', async () => {
    const body = signed(now())
    const outage = await service.withFault(
      () => new Response('upstream', { status: 502 }),
      () => register(body),
    )
    expect(outage.body).toMatchObject({ status: 503, code: 'dependency_unavailable' })
    expect((await register(body)).status).toBe(201)
  })
})
