/** The parts of an OpenAPI document for the reference. */
export type Description = {
  info: { title: string; version: string; summary: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: unknown[]
  /** Present only if the path is at the host's root. */
  servers?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer | { $ref: string }>
}

export type Parameter = {
  name: string
  in: string
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}
export type Answer = { description: string; content?: Record<string, Media> }
export type Media = { schema: Schema; example?: unknown }
export type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: string[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
}

/** An operation, with its path and method. */
export type Placed = { path: string; method: string; operation: Operation }

/** Returns the operations of the API, in the document's order. */
export const operationsOf = ({ paths }: Pick<Description, 'paths'>): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** Returns an answer, or the component that it refers to. */
export function resolved(answer: Answer | { $ref: string }, { components }: Description): Answer {
  if (!('$ref' in answer)) return answer
  const found = components.responses[nameOf(answer.$ref)]
  if (!found) throw new Error(`nothing is at ${answer.$ref}`)
  return found
}

/** Returns the name at the end of a reference. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ''
