import { describe, expect, it } from 'vitest'
import type { LinkDocs } from '../../../lib/http/operation-docs.ts'
import { linksOf } from '../../../lib/tools/description/links.ts'
import { readRoutes } from '../../../lib/tools/description/routes.ts'
import { Hire } from '../../../schema/wire/hires.ts'
import { bodyOf, type Json, operations, schemas } from '../../support/description.ts'
import { fits } from '../../support/json-schema.ts'

const links = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { links: said = {}, content }]) =>
    Object.values(said).map((link) => ({
      from: `${operation.operationId} ${status}`,
      link,
      answer: content?.['application/json']?.example,
    })),
  ),
)

/** What an expression finds in an answer. */
const found = (expression: string, answer: unknown) =>
  expression
    .replace('$response.body#/', '')
    .split('/')
    .reduce<unknown>((value, step) => Object(value)[step], answer)

describe('a link', () => {
  it.each(links)('from $from to $link.operationId fills what that operation takes', ({ link, answer }) => {
    const target = operations.find(({ operationId }) => operationId === link.operationId)
    if (!target) throw new Error('leads nowhere')
    const taken = (name: string): Json =>
      target.parameters?.find((each) => each.name === name)?.schema ?? Object(bodyOf(target).properties)[name]
    const values = Object.entries({ ...link.parameters, ...link['x-requestBody'] })
    expect(values.length).toBeGreaterThan(0)
    for (const [name, expression] of values) {
      expect(taken(name), name).toBeDefined()
      const value = found(String(expression), answer)
      // An example need not have a next page or an entry in a list.
      if (value !== undefined) expect(fits(taken(name), value, schemas), `${name}: ${value}`).toBe(true)
    }
  })

  it.each([
    ['registerAgent', 'hireAgent'],
    ['registerAgent', 'changeAgent'],
    ['registerAgent', 'getAgent'],
    ['listAgents', 'getAgent'],
    ['hireAgent', 'terminateHire'],
    ['listHires', 'terminateHire'],
    ['stack', 'relayTransaction'],
    ['unstack', 'getTransaction'],
    ['claim', 'relayTransaction'],
    ['relayTransaction', 'getTransaction'],
    ['attestSkill', 'requestVerification'],
    ['attestSkill', 'getVerification'],
    ['listEvents', 'replayEvent'],
    ['registerSignedAgent', 'getRegisteredAgent'],
  ])('leads from %s to %s', (from, to) => {
    expect(links.map((each) => `${each.from.split(' ')[0]} ${each.link.operationId}`)).toContain(
      `${from} ${to}`,
    )
  })

  it.each<[LinkDocs, string]>([
    [{ endHire: { id: '#/id' } }, 'leads to endHire, which is not an operation'],
    [{ terminateHire: { hireId: '#/id' } }, 'gives hireId to DELETE /agents/hire'],
    [{ terminateHire: { id: '#/hireId' } }, 'takes #/hireId, which is not in the answer'],
    [{ getAgent: { id: '#/agent/0/id' } }, 'takes #/agent/0/id, which is not in the answer'],
  ])('to nothing stops the generator: %j', async (words, message) => {
    const routes = await readRoutes()
    expect(() => linksOf(words, Hire, routes)).toThrow(message)
  })
})
