import type { GenericSchema } from 'valibot'
import type { LinkDocs } from '../../http/operation-docs.ts'
import { keyOf, type Route } from './routes.ts'

type Json = Record<string, unknown>

/** The parts of a valibot schema that have inner schemas. */
type Node = { entries?: Record<string, Node>; item?: Node; wrapped?: Node; options?: unknown[] }

/**
 * Returns the links of an answer: the operations that a client can call next, with values from the answer. A
 * name is a parameter of the operation, else a member of its body. Members are in an extension: OpenAPI does
 * not define expressions inside a `requestBody`, and openapi-generator refuses an object there.
 * @throws Error that names an operation, a parameter or a place in the answer that does not exist
 */
export function linksOf(links: LinkDocs, answer: GenericSchema, routes: readonly Route[]): Json {
  return Object.fromEntries(
    Object.entries(links).map(([id, values]) => {
      const target = routes.find(({ docs }) => docs && docs.id === id)
      if (!target) throw new Error(`a link leads to ${id}, which is not an operation`)
      const expressions = Object.entries(values).map(([name, place]) => {
        if (!has(answer, place)) throw new Error(`a link to ${id} takes ${place}, which is not in the answer`)
        return { name, isParameter: isParameter(target, name), value: `$response.body${place}` }
      })
      const [parameters, members] = [true, false].map((wanted) =>
        Object.fromEntries(
          expressions
            .filter((each) => each.isParameter === wanted)
            .map(({ name, value }) => [name, value] as const),
        ),
      )
      return [
        id,
        {
          operationId: id,
          ...(hasMembers(parameters) ? { parameters } : {}),
          ...(hasMembers(members) ? { 'x-requestBody': members } : {}),
        },
      ]
    }),
  )
}

/** Returns whether a name is a parameter of the route (true), or a member of its body. */
function isParameter(target: Route, name: string): boolean {
  const { params, query, body } = target
  if ([params, query].some((schema) => schema && name in entriesOf(schema))) return true
  if (body && name in entriesOf(body)) return false
  throw new Error(`a link gives ${name} to ${keyOf(target)}, which does not take it`)
}

const hasMembers = (object: object | undefined) => Object.keys(object ?? {}).length > 0

const entriesOf = (schema: GenericSchema): Record<string, Node> => (schema as Node).entries ?? {}

/** Returns whether a JSON pointer leads to a part of a schema. */
function has(schema: GenericSchema, pointer: string): boolean {
  const steps = pointer.replace('#/', '').split('/')
  return steps.reduce<Node | undefined>(stepInto, schema as Node) !== undefined
}

function stepInto(node: Node | undefined, step: string): Node | undefined {
  if (node?.wrapped) return stepInto(node.wrapped, step)
  // In a variant, every object must have it.
  if (node?.options) {
    const found = node.options.map((option) => stepInto(option as Node, step))
    return found.includes(undefined) ? undefined : found[0]
  }
  return /^\d+$/.test(step) ? node?.item : node?.entries?.[step]
}
