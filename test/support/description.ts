import type { GenericSchema } from 'valibot'
import { buildDocument } from '../../lib/tools/description/document.ts'
import { keyOf, readRoutes } from '../../lib/tools/description/routes.ts'

export type Json = Record<string, unknown>

type Operation = {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; schema: Json }[]
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
  responses: Record<string, { content?: Record<string, { example?: unknown }>; links?: Record<string, Link> }>
}
type Link = { operationId: string; parameters?: Record<string, string>; 'x-requestBody'?: Json }

type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json> } & Record<string, Json>
}

/** The API description by the code, as JSON. */
export const document: Document = JSON.parse(JSON.stringify(await buildDocument()))
export const schemas = document.components.schemas
export const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** The parts of a valibot schema that lead further. */
type Schema = GenericSchema & { entries?: Record<string, Schema>; wrapped?: Schema; type: string }

/** A field of a request: its place, the check of the code, and its description. */
export type Field = {
  where: string
  name: string
  place: 'query' | 'path' | 'body'
  check: Schema
  said: Json
}

const bare = (schema: Schema): Schema => (schema.wrapped ? bare(schema.wrapped) : schema)

export const bodyOf = (operation: Operation): Json =>
  schemas[operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''] ?? {}

/** Every parameter and every member of a body of every operation. */
export const fields: Field[] = (await readRoutes()).flatMap((route) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()]
  if (!operation) throw new Error(`not described: ${keyOf(route)}`)
  const parts = [
    { place: 'path', schema: route.params },
    { place: 'query', schema: route.query },
    { place: 'body', schema: route.body },
  ] as const
  return parts.flatMap(({ place, schema }) =>
    Object.entries((schema as Schema | undefined)?.entries ?? {}).map(([name, check]) => ({
      where: `${keyOf(route)} ${place} ${name}`,
      name,
      place,
      check: bare(check),
      said:
        (place === 'body'
          ? Object(bodyOf(operation).properties)[name]
          : operation.parameters?.find((each) => each.name === name && each.in === place)?.schema) ?? {},
    })),
  )
})

/** Returns the description of a text that may also be null. */
export const saidOfText = ({ said }: Field): Json | undefined =>
  [said, ...((said.anyOf as Json[] | undefined) ?? [])].find(({ type }) => type === 'string')
