import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { catalog, definitionOf } from '../../../lib/mcp/catalog.ts'
import { apiRequest } from '../../../lib/mcp/request.ts'
import { callsOf, type Tool, tools } from '../../../lib/mcp/tools.ts'

const requestOf = (name: string, args: Record<string, unknown>) => {
  const [tool, definition] = [tools[name], definitionOf(name)]
  if (!tool || !definition) throw new Error(`no tool ${name}`)
  return apiRequest(tool, definition, args)
}
const ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'

describe('the request of a tool call', () => {
  it('puts arguments into path, query and body', () => {
    expect(requestOf('get_agent', { id: ID })).toMatchObject({ method: 'GET', path: `/agents/${ID}` })
    expect(requestOf('end_hire', { id: ID })).toMatchObject({
      method: 'DELETE',
      path: `/agents/hire?id=${ID}`,
    })
    expect(requestOf('search_agents', { q: 'a&b=c#d', layer: 17 }).path).toBe(
      '/agents?q=a%26b%3Dc%23d&layer=17',
    )
    expect(
      requestOf('hire_agent', { agentId: ID, layers: [1, 2], budgetLimit: '5', autoRenew: true }),
    ).toEqual({
      worker: 'AGENTS',
      method: 'POST',
      path: '/agents/hire',
      body: `{"agentId":"${ID}","layers":[1,2],"budgetLimit":5,"autoRenew":true}`,
    })
    expect(requestOf('build_vault_transaction', { action: 'unstack', positionId: 0 })).toEqual({
      worker: 'VAULT',
      method: 'POST',
      path: '/vault/unstack',
      body: '{"positionId":0}',
    })
  })

  it('leaves out an argument that is null, but not one that the tool does not have', () => {
    const nulls = { layers: null, budgetLimit: null, autoRenew: null }
    expect(requestOf('hire_agent', { agentId: ID, ...nulls }).body).toBe(`{"agentId":"${ID}"}`)
    expect(requestOf('search_agents', { q: null, layer: 17 }).path).toBe('/agents?layer=17')
    expect(() => requestOf('hire_agent', { agentId: ID, budgetLimt: null })).toThrow('budgetLimt')
    expect(() => requestOf('get_agent', { id: null })).toThrow('id must be a UUID')
    expect(() => requestOf('build_vault_transaction', { action: null })).toThrow('action must be')
  })

  it('refuses a text with half a surrogate pair', () => {
    expect(() => requestOf('search_agents', { q: 'a\ud800' })).toThrow('q must be well-formed Unicode')
  })

  it('leaves what it was given as it was', () => {
    const args = { action: 'claim', positionId: 1 }
    requestOf('build_vault_transaction', args)
    expect(args).toEqual({ action: 'claim', positionId: 1 })
  })

  it('goes to the operation of its tool alone, with any arguments', () => {
    const values = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object(),
    )
    const names = fc.constantFrom(...catalog.tools.map(({ name }) => name))
    const property = fc.property(names, fc.array(values), (name, list) => {
      const fields = Object.keys(definitionOf(name)?.inputSchema.properties ?? {})
      const args = Object.fromEntries(fields.map((field, n) => [field, list[n]]))
      try {
        const { pathname, origin } = new URL(`https://agentcred.internal/v1${requestOf(name, args).path}`)
        expect(origin).toBe('https://agentcred.internal')
        const paths = callsOf(tools[name] as Tool).map(({ path }) => path.replace('{id}', '[0-9a-fA-F-]{36}'))
        expect(pathname).toMatch(new RegExp(`^/v1(${paths.join('|')})$`))
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    })
    fc.assert(property, { numRuns: 2_000 })
  })
})
