type Json = Record<string, unknown>
type Operation = {
  operationId?: string
  tags?: string[]
  responses?: Record<string, { links?: Record<string, { operationId: string }> }>
}

/** The parts of the API description that this reads. */
export type Described = {
  info: { title: string; version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Json>
}

/**
 * Removes the operations that a deployment does not offer from the API description. It removes their paths,
 * links to them, and the tags and components that only they use.
 * @param prefixes the paths' prefixes, such as /v1/vault
 */
export function offeredOf<T extends Described>(document: T, prefixes: string[]): T {
  if (prefixes.length === 0) return document
  const isOffered = (path: string) => !prefixes.some((prefix) => `/v1${path}`.startsWith(prefix))
  const paths = structuredClone(
    Object.fromEntries(Object.entries(document.paths).filter(([path]) => isOffered(path))),
  )
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = new Set(operations.map(({ operationId }) => operationId))
  for (const response of operations.flatMap(({ responses = {} }) => Object.values(responses)))
    for (const [name, { operationId }] of Object.entries(response.links ?? {}))
      if (!ids.has(operationId)) delete response.links?.[name]
  const used = new Set(operations.flatMap(({ tags = [] }) => tags))
  const tags = document.tags.filter(({ name }) => used.has(name))
  return withUsedComponents({ ...document, tags, paths })
}

/** Removes unused components repeatedly. Keeps security schemes, which have no references. */
export function withUsedComponents<T extends Described>(document: T): T {
  const text = JSON.stringify(document)
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, all]) => [
      kind,
      Object.fromEntries(
        Object.entries(all).filter(
          ([name]) => kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`),
        ),
      ),
    ]),
  )
  const left = { ...document, components }
  return JSON.stringify(left) === text ? document : withUsedComponents(left)
}
