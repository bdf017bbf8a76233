import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { readCommandLine, UsageError } from '../../../lib/cli/arguments.ts'
import { SCRIPTS, type Script } from '../../../lib/cli/scripts.ts'
import { readModule } from '../../support/modules.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The scripts of package.json that are our own programs: their names and files. */
const files: [name: string, path: string][] = Object.entries<string>(
  JSON.parse(read('package.json')).scripts,
).flatMap(([name, command]) => {
  const [, path] = /\.\/lib\/cli\/loading\.ts (\S+)$/.exec(command) ?? []
  return path === undefined ? [] : [[name, path]]
})

describe('the scripts of package.json', () => {
  it('are declared, each with a usage that begins with its name', () => {
    expect(Object.keys(SCRIPTS).toSorted()).toEqual(files.map(([name]) => name).toSorted())
    for (const [name, { usage }] of Object.entries(SCRIPTS))
      expect(usage).toMatch(new RegExp(`^npm run ${name}( |$)`))
  })

  it.each(Object.entries<Script>(SCRIPTS))(
    '%s names only options in its texts that it takes',
    (_, { usage, options = {}, notes = '' }) => {
      const texts = [usage, notes, ...Object.values(options).map(({ help }) => help)].join('\n')
      const named = [...texts.matchAll(/(?<=[\s[])--([a-z][a-z-]+)/g)].map(([, option]) => option)
      expect(Object.keys(options)).toEqual(expect.arrayContaining(named))
    },
  )

  it.each(files)('%s reads each of its options', (name, path) => {
    const { options = {} }: Script = SCRIPTS[name as keyof typeof SCRIPTS]
    const own = name === 'setup' ? [path, 'lib/cli/setup/options.ts'] : [path]
    const modules = own.map((one) => readModule({ path: one, text: read(one) }))
    const names = new Set(modules.flatMap(({ identifiers, literals }) => [...identifiers, ...literals]))
    // These read --stage.
    if (names.has('folderOf') || names.has('environmentOf')) names.add('stage')
    expect([...names]).toEqual(expect.arrayContaining(Object.keys(options)))
  })

  it.each(files)('%s declares nothing below the await that runs it', (_, path) => {
    expect(lateDeclarations(read(path))).toEqual([])
  })

  it('are reported when a function could use a constant before its declaration', () => {
    const before = `import 'x'\nconst a = 1\nfunction f() {}\n`
    expect(lateDeclarations(`${before}await f()\nfunction g() {}\ntype T = 1`)).toEqual([])
    expect(lateDeclarations(`${before}const g = async () => { await f() }\nconst b = 2`)).toEqual([])
    for (const run of ['await f()', 'try { await f() } catch {}', 'for await (const x of f()) {}'])
      for (const late of ['const b = 1', 'let b', 'class B {}', 'export const b = 1'])
        expect(lateDeclarations(`${before}${run}\n${late}`)).toEqual([late])
  })
})

/** A node of a syntax tree. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Whether a node awaits something outside functions. */
const awaits = (node: Node): boolean =>
  node.type === 'AwaitExpression' ||
  node.await === true ||
  (!/Function/.test(node.type) &&
    Object.values(node)
      .flat()
      .some((child) => isNode(child) && awaits(child)))

/** Returns a module's constants, variables and classes below the first await outside functions. */
function lateDeclarations(text: string): string[] {
  const { body }: { body: Node[] } = parseAst(text, { lang: 'ts' }) as never
  const first = body.findIndex(awaits)
  if (first === -1) return []
  return body
    .slice(first + 1)
    .filter((node) => {
      const { type } = isNode(node.declaration) ? node.declaration : node
      return type === 'VariableDeclaration' || type === 'ClassDeclaration'
    })
    .map(({ start, end }) => text.slice(start, end))
}

describe('a command line', () => {
  it.each([
    [['--dry-rnu'], 'Unknown option --dry-rnu. Did you mean --dry-run?'],
    [['--dryrun=s3cret'], 'Unknown option --dryrun. Did you mean --dry-run?'],
    [['--owner', 'a', '--recvery', 's3cret'], 'Unknown option --recvery. Did you mean --recovery?'],
    [['--s'], 'Unknown option --s.'],
    [['-s3cret'], 'Unknown option -s.'],
    [['--constructor'], 'Unknown option --constructor.'],
    [['--dry-run=s3cret'], "Option '--dry-run' does not take an argument"],
    [['--owner'], "Option '--owner <value>' argument missing"],
    [['--owner', '--rpc', 's3cret'], "Option '--owner' argument is ambiguous"],
    [['s3cret'], 'a value has no option before it'],
    [['--', '--s3cret'], 'a value has no option before it'],
  ])('is refused without its values: %j', (args, message) => {
    const refusal = /^(?!.*s3cret)/s
    expect(() => readCommandLine('exit', args)).toThrow(UsageError)
    expect(() => readCommandLine('exit', args)).toThrow(message)
    expect(() => readCommandLine('exit', args)).toThrow(refusal)
  })

  it.each([
    ['rotate', ['sesion'], 'Did you mean session?'],
    ['vault', ['staus'], 'name one of status, pause, resume, announce. Did you mean status?'],
    ['payments', [], 'name one of unproven, settle, held, paid, release.'],
    ['jobs', ['s3cret'], 'name one of extend, delete-texts, status, leaked, resume, end, publishable.'],
    ['invites', ['--count', '1'], 'name one of issue, list, revoke.'],
  ] as const)('of %s is refused when it names no command: %j', (name, args, message) => {
    expect(() => readCommandLine(name, [...args])).toThrow(UsageError)
    expect(() => readCommandLine(name, [...args])).toThrow(message)
    expect(() => readCommandLine(name, [...args])).toThrow(/^(?!.*s3cret)/s)
  })

  it('returns options, defaults and words', () => {
    expect(readCommandLine('deploy', ['auth', '--dry-run', 'root'])).toEqual({
      values: { 'dry-run': true },
      positionals: ['auth', 'root'],
    })
    expect(readCommandLine('setup', ['--var', 'A=1', '--var', 'B=2']).values).toMatchObject({
      ...{ var: ['A=1', 'B=2'], plan: false, timeout: '30' },
    })
  })
})
