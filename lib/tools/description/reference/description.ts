/** The parts of an OpenAPI document that the reference shows. */
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
  /** Only where the path is of the host's root. */
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

/** An operation, where it is. */
export type Placed = { path: string; method: string; operation: Operation }

/** The operations of the API, in the document's order. */
export const operationsOf = ({ paths }: Pick<Description, 'paths'>): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** An answer, or the one of the document's components that it refers to. */
export function resolved(answer: Answer | { $ref: string }, { components }: Description): Answer {
  if (!('$ref' in answer)) return answer
  const found = components.responses[nameOf(answer.$ref)]
  if (!found) throw new Error(`nothing is at ${answer.$ref}`)
  return found
}

/** The name that a reference ends with. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ''
