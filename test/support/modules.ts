import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vite'

const ROOT = join(import.meta.dirname, '../..')

/** A source file, its path relative to the repository. */
export type Source = { path: string; text: string }

/** An import: a file's path, or a package's specifier. `types` marks imports that the compiler erases. */
type Import = { target: string; types: boolean }

/** A source file as the import rules see it. */
export type Module = {
  path: string
  imports: Import[]
  /** Names that it exports, also `default`, but no re-exported ones. */
  exports: string[]
  /** Its imports and re-exports, by file and name; `*` for a whole file. */
  uses: { target: string; name: string }[]
  /** Readings of the machine's clock, as written. */
  clockReadings: string[]
  /** Names that are used as global functions or objects: `fetch`, `crypto` … */
  identifiers: Set<string>
  /** The text of string and template literals. */
  literals: string[]
}

let product: Source[] | undefined

/** All product sources. Read once: none changes while the tests of a process run. */
export const productSources = (): Source[] => (product ??= sourcesIn('functions', 'lib', 'schema'))

/** All TypeScript files of some folders but installed packages. */
export const sourcesIn = (...folders: string[]): Source[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  )

/** Represents the target of an import that is known only when the file runs. */
const COMPUTED = '(computed)'

/** Parsing all product sources takes a second. */
const modules = new WeakMap<Source, Module>()

/** Reads a source by its syntax tree: no spelling of an import escapes. The same source is parsed once. */
export function readModule(source: Source): Module {
  const module = modules.get(source) ?? parseModule(source)
  modules.set(source, module)
  return module
}

function parseModule({ path, text }: Source): Module {
  const module: Module = {
    path,
    imports: [],
    exports: [],
    uses: [],
    clockReadings: [],
    identifiers: new Set(),
    literals: [],
  }
  const add = (source: unknown, types: boolean, names = ['*']) => {
    const specifier = isNode(source) && typeof source.value === 'string' ? source.value : COMPUTED
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
    module.imports.push({ target, types })
    module.uses.push(...names.map((name) => ({ target, name })))
  }
  const visit = (node: Node) => {
    switch (node.type) {
      case 'ImportDeclaration':
        add(
          node.source,
          node.importKind === 'type' || onlyTypes(node.specifiers, 'importKind'),
          namesOf(node.specifiers, 'imported'),
        )
        break
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (node.source)
          add(
            node.source,
            node.exportKind === 'type' || onlyTypes(node.specifiers, 'exportKind'),
            namesOf(node.specifiers, 'local'),
          )
        else module.exports.push(...declaredNames(node), ...namesOf(node.specifiers, 'exported'))
        break
      case 'ExportDefaultDeclaration':
        module.exports.push('default')
        break
      case 'ImportExpression':
        add(node.source, false)
        break
      case 'TSImportType':
        add(node.source, true)
        break
      case 'NewExpression':
      case 'CallExpression': {
        const bare = isNode(node.callee) && node.callee.type === 'Identifier' && node.callee.name === 'Date'
        const args = Array.isArray(node.arguments) ? node.arguments.length : 0
        if (bare && (node.type === 'CallExpression' || args === 0))
          module.clockReadings.push(text.slice(node.start, node.end))
        break
      }
      case 'MemberExpression': {
        const reading = text.slice(node.start, node.end)
        if (/^(globalThis\.)?(Date\b.*\bnow\b|performance\b.*\b(now|timeOrigin)\b)/.test(reading)) {
          module.clockReadings.push(reading)
        }
        break
      }
      case 'Identifier':
        if (typeof node.name === 'string') module.identifiers.add(node.name)
        break
      case 'Literal':
        if (typeof node.value === 'string') module.literals.push(node.value)
        break
      case 'TemplateElement':
        module.literals.push(text.slice(node.start, node.end))
        break
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  const program: unknown = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  if (!isNode(program)) throw new Error(`${path}: not parsed`)
  visit(program)
  return module
}

export type Node = { type: string; start: number; end: number } & Record<string, unknown>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** `import { type A }` is erased like `import type { A }`; `import 'x'` is not. */
const onlyTypes = (specifiers: unknown, kind: 'importKind' | 'exportKind'): boolean =>
  Array.isArray(specifiers) &&
  specifiers.length > 0 &&
  specifiers.every((specifier) => specifier[kind] === 'type')

/**
 * The names in the braces of an import or export; `*` for a namespace, and for `export *`, which has none.
 */
const namesOf = (specifiers: unknown, side: 'imported' | 'local' | 'exported'): string[] =>
  Array.isArray(specifiers)
    ? specifiers.map((specifier) => {
        if (specifier.type === 'ImportDefaultSpecifier') return 'default'
        return specifier[side]?.name ?? '*'
      })
    : ['*']

/** The names that the declaration behind `export` makes. */
function declaredNames({ declaration }: Node): string[] {
  if (!isNode(declaration)) return []
  const declared = Array.isArray(declaration.declarations) ? declaration.declarations : [declaration]
  return declared.map(({ id }) => id.name)
}
