import { createWallet } from '../../lib/cli/wallet.ts'
import * as examples from '../../schema/examples.ts'
import { register } from './agents.ts'
import { modernHeaders } from './mcp.ts'
import { ISSUER, oauthClient } from './oauth.ts'
import { changed, type Operation, type Place } from './openapi-texts.ts'
import { signedWithManifest } from './registry.ts'
import { type Answer, answerTo, type Body, startService } from './service.ts'

/** What is changed in a request that is valid otherwise. */
export type Change = {
  /** Parameters by name, percent-encoded. */
  given?: Record<string, string>
  /** At the end of the query, percent-encoded. */
  query?: string
  /** Of a place in the body, what stands there. */
  at?: Place['keys']
  put?: (old: unknown) => unknown
  headers?: Record<string, string>
  token?: string
}

/** What a field needs beside it, and what may not be there (undefined). */
const BESIDE: Record<string, Body> = {
  'changeAgent reason': { status: 'suspended', description: undefined },
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const MCP_HEADERS = modernHeaders('tools/call', 'search_agents')
const FROM_PAGE = { origin: ISSUER }
const HEADERS: Record<string, Record<string, string>> = {
  callMcp: MCP_HEADERS,
  callMcpOfWallet: MCP_HEADERS,
  getConsentChallenge: FROM_PAGE,
  giveConsent: FROM_PAGE,
  getConnectionChallenge: FROM_PAGE,
  createConnection: FROM_PAGE,
}

/**
 * A service with one wallet that owns, hires, decides and moderates, and what sends requests of any operation
 * as that wallet: those of the API description's examples, with ids of what exists.
 */
export async function openRequests() {
  const wallet = createWallet()
  const roles = {
    ORACLE_WALLETS: wallet.publicKey,
    OPERATOR_WALLETS: wallet.publicKey,
    JOB_JUDGES: createWallet().publicKey,
  }
  const service = await startService({ bindings: roles })
  const { token: ownToken, call } = await service.signIn(wallet)
  const made = async (path: string, body: Body) => {
    const answer = await call('POST', path, { body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
    return String(answer.body.id)
  }
  const newAgent = async () => (await register(call)).id
  const agentId = await newAgent()
  const hireId = await made('/agents/hire', { agentId })
  const credential = { credentialType: 'certification', credentialId: 'A-1' }
  const program = oauthClient(service)
  const clientId = await program.registered()
  const ids: Record<string, string> = {
    [examples.CLIENT_ID]: clientId,
    [examples.AUTHORIZATION_REQUEST]: String((await program.open(clientId)).body.request),
    [examples.WALLET]: wallet.publicKey,
    [examples.AGENT_ID]: agentId,
    [examples.HIRE_ID]: hireId,
    [examples.CHARGE_ID]: await made('/payments/charges', {
      hireId,
      reference: 'job',
      capturedValue: 1_000_000,
    }),
    [examples.WEBHOOK_ENDPOINT_ID]: await made('/events/endpoints', { url: 'https://a.example/hooks' }),
    [examples.FACILITATOR_KEY]: String((await call('POST', `/x402/agents/${agentId}/key`)).body.key),
    [examples.ATTESTATION_ID]: await made('/reputation/attest/skill', credential),
  }
  await call('PUT', `/x402/agents/${agentId}/prices`, {
    body: { prices: [{ name: 'GET /', amount: 250_000 }] },
  })
  // Suspended by what is sent to it, which its owner could not change any more.
  const moderated = await newAgent()

  /** An example with ids of what exists. */
  const withIds = (example: unknown): unknown =>
    example === undefined
      ? undefined
      : JSON.parse(
          Object.entries(ids).reduce(
            (text, [shown, id]) => text.replaceAll(shown, id),
            JSON.stringify(example),
          ),
        )
  /** Bodies that are signed for one request. */
  const signed: Record<string, () => Body | Promise<Body>> = {
    login: async () => ({
      ...answerTo((await service.call('GET', '/auth/handshake')).body, wallet),
      agentId,
      permissions: ['agents:hire'],
    }),
    registerSignedAgent: () => signedWithManifest(service.clock.now()),
  }
  let sent = 0
  /** Another address for each request: some things are counted by address. */
  const address = () => `10.0.${(sent >> 8) & 255}.${sent++ & 255}`

  /** The path and query of a request, with ids of what exists. */
  function pathOf(
    { id, path, parameters }: Operation,
    { given = {}, query = '', at = [] }: Change = {},
  ): string {
    const isModeration = `${id} ${at.join('.')}` in BESIDE
    const valueIn = (name: string): string => {
      const { schema, example = Object(schema).enum?.[0] } =
        parameters.find((each) => each.name === name) ?? {}
      return (
        given[name] ??
        encodeURIComponent(String(name === 'id' && isModeration ? moderated : withIds(example)))
      )
    }
    const concrete = path.replace(/\{(\w+)\}/g, (_all, name) => valueIn(name))
    const pairs = parameters
      .filter((each) => each.in === 'query' && (each.required || each.name in given))
      .map(({ name }) => `${name}=${valueIn(name)}`)
    const search = [...pairs, query].filter((part) => part !== '').join('&')
    return `${concrete === '/' ? '' : concrete}${search && `?${search}`}`
  }

  async function send(operation: Operation, change: Change = {}): Promise<Answer> {
    const { id, method, body, form, needsSession } = operation
    const { at = [], put } = change
    const own = `${id} ${at.join('.')}`
    const whole = body && { ...Object((await signed[id]?.()) ?? withIds(body.example)), ...BESIDE[own] }
    return service.call(method, pathOf(operation, change), {
      body: put ? changed(whole, at, put) : whole,
      ...(form && { raw: new URLSearchParams(form as Record<string, string>).toString() }),
      headers: { 'cf-connecting-ip': address(), ...(form && FORM), ...HEADERS[id], ...change.headers },
      token: needsSession ? (change.token ?? ownToken) : undefined,
    })
  }
  return { service, send, pathOf, withIds, wallet, call, token: ownToken }
}
