import { createPublicKey, type JsonWebKey, verify as verifyBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateCardKeys } from '../../lib/tools/keys/jwks.ts'
import { register } from '../support/agents.ts'
import { signed } from '../support/registry.ts'
import { type Body, type Service, startService } from '../support/service.ts'

let service: Service
let owner: Awaited<ReturnType<Service['signIn']>>
beforeAll(async () => {
  service = await startService()
  owner = await service.signIn()
})
afterAll(() => service.stop())

const A2A = { apiEndpoint: 'https://scout.example.com/a2a', apiProtocol: 'a2a-jsonrpc' }
const MCP = { apiEndpoint: 'https://scout.example.com/mcp', apiProtocol: 'mcp' }

const cardOf = (id: string) => service.call('GET', `/agents/${id}/agent-card.json`)
const mcpCardOf = (id: string) => service.call('GET', `/agents/${id}/mcp-server-card`)
const keySet = async () => (await service.call('GET', '/cards/jwks.json')).body as unknown as JSONWebKeySet

const registerEntry = async (changes: Body) => {
  const body = signed(service.clock.now(), changes)
  expect((await service.call('POST', '/registry/agents', { body })).status).toBe(201)
  return String(body.pubkey)
}

/** RFC 8785 of a value without numbers, whose names are ASCII: sorted, the rest as JSON.stringify has it. */
const canonical = (value: unknown): unknown =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/**
 * Verifies as RFC 7515, 8785 and the card's own header have it, by Node's own Ed25519: with nothing of ours,
 * and nothing that we sign with.
 * @returns the protected header
 */
async function verify({ signatures, ...card }: Body): Promise<Body> {
  const [jws] = signatures as [{ protected: string; signature: string }]
  const header = JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
  const key = (await keySet()).keys.find(({ kid }) => kid === header.kid) as JsonWebKey
  const signed = `${jws.protected}.${Buffer.from(String(canonical(card))).toString('base64url')}`
  const publicKey = createPublicKey({ key, format: 'jwk' })
  const signature = Buffer.from(jws.signature, 'base64url')
  if (!verifyBytes(null, Buffer.from(signed), publicKey, signature)) throw new Error('not its signature')
  return header
}

describe('an A2A agent card', () => {
  it('is signed, and verifies with Node’s crypto and the A2A SDK', async () => {
    const { id } = await register(owner.call, { ...A2A, name: 'Yield Scout', description: 'Finds yield.' })
    const { body, headers } = await cardOf(id)
    expect(headers.get('content-type')).toBe('application/a2a-agent-card+json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(await verify(body)).toEqual({
      alg: 'EdDSA',
      typ: 'JOSE',
      kid: (await keySet()).keys[0]?.kid,
      jku: 'https://api.agentcred.example/v1/cards/jwks.json',
    })
    const keys = createLocalJWKSet(await keySet())
    const bySdk = verifyAgentCardSignature(async (kid) => keys({ alg: 'EdDSA', kid }))
    await bySdk(AgentCard.fromJSON(body))
    await expect(bySdk(AgentCard.fromJSON({ ...body, name: 'Another' }))).rejects.toThrow(
      'No valid signatures',
    )
    await expect(verify({ ...body, url: 'https://evil.example' })).rejects.toThrow('not its signature')
  })

  it('has only registered facts, all required members and no empty ones', async () => {
    const { id } = await register(owner.call, {
      ...A2A,
      supportedLayers: [10, 17],
      description: 'Finds yield.',
    })
    const { signatures: _, ...card } = (await cardOf(id)).body
    expect(card).toEqual({
      name: 'Test agent',
      description: 'Finds yield.',
      supportedInterfaces: [{ url: A2A.apiEndpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      version: '1.0.0',
      capabilities: { streaming: false, pushNotifications: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [
        {
          id: 'inference',
          name: 'Inference',
          description: 'Captures value by inference (layer 10 of the AgentCred catalog).',
          tags: ['inference', 'layer-10'],
        },
        {
          id: 'liquidity',
          name: 'Liquidity',
          description: 'Captures value by liquidity (layer 17 of the AgentCred catalog).',
          tags: ['liquidity', 'layer-17'],
        },
      ],
    })
    // The protocol's own model reads it and writes it back unchanged.
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card)
  })

  it('names the terms of its requests while it has prices, and verifies', async () => {
    const { id } = await register(owner.call, A2A)
    const setPrices = (prices: Body[]) => owner.call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })
    await setPrices([
      { name: 'GET /route', amount: 9_000_000_000_000_000 },
      { name: 'GET /map', amount: 250_000 },
    ])
    const { body } = await cardOf(id)
    const [extension, ...others] = (body.capabilities as { extensions: Body[] }).extensions
    expect(others).toEqual([])
    expect(extension).toEqual({
      uri: 'https://api.agentcred.example/v1/docs#requests',
      description: expect.stringContaining('x402'),
      params: {
        network: service.solana.bindings.X402_NETWORK,
        terms: `https://api.agentcred.example/v1/x402/agents/${id}`,
        asset: service.solana.bindings.VAULT_MINT,
        from: '250000',
      },
    })
    // Its path leads to the terms.
    const { pathname } = new URL(String(Object(extension?.params).terms))
    const { body: terms } = await service.call('GET', pathname.slice('/v1'.length))
    expect(terms).toMatchObject({ agentId: id, network: Object(extension?.params).network })
    await verify(body)
    const keys = createLocalJWKSet(await keySet())
    await verifyAgentCardSignature(async (kid) => keys({ alg: 'EdDSA', kid }))(AgentCard.fromJSON(body))
    const { signatures: _, ...card } = body
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card)
    await setPrices([])
    expect((await cardOf(id)).body.capabilities).toEqual({ streaming: false, pushNotifications: false })
  })

  it('follows changes of the agent’s binding, description, protocol and status', async () => {
    const { id } = await register(owner.call, A2A)
    const patch = (body: Body) => owner.call('PATCH', `/agents/${id}`, { body })
    await patch({ apiProtocol: 'a2a-http' })
    const { body } = await cardOf(id)
    expect(body.supportedInterfaces).toMatchObject([{ protocolBinding: 'HTTP+JSON' }])
    expect(body.description).toBe('Test agent, an agent for shopping, inference, liquidity.')
    await verify(body)
    await patch({ status: 'inactive' })
    expect((await cardOf(id)).body.code).toBe('no_agent_card')
    await patch({ status: 'active', apiProtocol: 'http' })
    expect((await cardOf(id)).body.code).toBe('no_agent_card')
    await patch({ apiProtocol: 'a2a-http', apiEndpoint: null })
    expect((await cardOf(id)).body.code).toBe('no_agent_card')
  })

  it('exists for registry entries, with a version that counts registrations', async () => {
    const pubkey = await registerEntry({ ...A2A, description: '', capabilities: ['portfolio', 'gaming'] })
    const path = `/registry/agents/${pubkey}/agent-card.json`
    const { body } = await service.call('GET', path)
    await verify(body)
    expect(body).toMatchObject({
      name: 'Ledger Keeper',
      description: 'Ledger Keeper, an agent for portfolio, gaming.',
      version: '1.0.0',
    })
    expect((body.skills as Body[]).map(({ tags }) => tags)).toEqual([
      ['portfolio', 'layer-17', 'layer-19'],
      ['gaming', 'layer-23'],
    ])
  })

  it('has an ETag, and is 304 when unchanged', async () => {
    const { id } = await register(owner.call, A2A)
    const etag = String((await cardOf(id)).headers.get('etag'))
    const again = await service.call('GET', `/agents/${id}/agent-card.json`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  })

  it('is 404 for an unknown agent or key, and for another protocol', async () => {
    const unknown = '0190a1b2-0000-7000-8000-00000000000f'
    expect((await cardOf(unknown)).body.code).toBe('agent_not_found')
    expect((await mcpCardOf(unknown)).body.code).toBe('agent_not_found')
    const entry = `/registry/agents/${owner.wallet.publicKey}`
    expect((await service.call('GET', `${entry}/agent-card.json`)).body.code).toBe('registration_not_found')
    const { id } = await register(owner.call, MCP)
    expect((await cardOf(id)).body.code).toBe('no_agent_card')
    const plain = await register(owner.call, { apiEndpoint: 'https://scout.example.com' })
    expect((await cardOf(plain.id)).body.code).toBe('no_agent_card')
  })

  it('is 503 with Retry-After when the database does not answer', async () => {
    const { id } = await register(owner.call, A2A)
    const down = () => new Response('no', { status: 502 })
    const answer = await service.withFault(down, () => cardOf(id))
    expect(answer.body.code).toBe('dependency_unavailable')
    expect(answer.headers.get('retry-after')).toBe('2')
    expect((await cardOf(id)).status).toBe(200)
  })

  it('still verifies after its key was rotated', async () => {
    const { id } = await register(owner.call, A2A)
    const before = (await cardOf(id)).body
    await service.redeploy(await generateCardKeys(new Date(), JSON.stringify(await keySet())))
    const after = (await cardOf(id)).body
    expect(after.signatures).not.toEqual(before.signatures)
    await verify(before)
    await verify(after)
  })
})

describe('an MCP server card', () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../vectors/mcp-server-card.schema.json'), 'utf8'),
  )
  const validate = new AjvJsonSchemaValidator().getValidator({ ...schema, $ref: '#/$defs/ServerCard' })
  const isValid = (card: Body) => validate(card).valid

  it('matches the protocol’s schema, for agents and entries', async () => {
    const { id } = await register(owner.call, { ...MCP, description: 'é'.repeat(500) })
    const { body, headers } = await mcpCardOf(id)
    expect(headers.get('content-type')).toBe('application/mcp-server-card+json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(isValid(body)).toBe(true)
    expect(body).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: `example.agentcred/agent.${id}`,
      title: 'Test agent',
      description: `${'é'.repeat(99)}…`,
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url: MCP.apiEndpoint }],
    })
    const pubkey = await registerEntry({ ...MCP, website: 'https://keeper.example.com' })
    const entry = (await service.call('GET', `/registry/agents/${pubkey}/mcp-server-card`)).body
    expect(isValid(entry)).toBe(true)
    expect(entry).toMatchObject({
      name: `example.agentcred/registered.${pubkey}`,
      websiteUrl: 'https://keeper.example.com',
    })
    expect(isValid({ ...entry, name: 'no namespace' })).toBe(false)
  })

  it('exists for the service’s own MCP server', async () => {
    const { status, body, headers } = await service.call('GET', '/mcp/server-card', {
      headers: { origin: 'https://any.example' },
    })
    expect(status).toBe(200)
    expect(isValid(body)).toBe(true)
    expect(body).toMatchObject({
      name: 'example.agentcred/agentcred',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://api.agentcred.example/v1/mcp',
          supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        },
      ],
    })
    expect(isValid({ ...body, remotes: [{ type: 'http' }] })).toBe(false)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const etag = headers.get('etag') ?? ''
    const again = await service.call('GET', '/mcp/server-card', { headers: { 'if-none-match': etag } })
    expect([etag, again.status]).toEqual([expect.stringMatching(/^(W\/)?"/), 304])
  })

  it('escapes braces in a URL', async () => {
    const { id } = await register(owner.call, { ...MCP, apiEndpoint: 'https://scout.example.com/{tenant}' })
    expect((await mcpCardOf(id)).body.remotes).toEqual([
      { type: 'streamable-http', url: 'https://scout.example.com/%7Btenant%7D' },
    ])
  })
})
