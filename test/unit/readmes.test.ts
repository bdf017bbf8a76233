import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const folderNames = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** Every Markdown file of the project, by its path from the root. */
const texts = ['.', '.github', 'functions', 'lib', 'migrations', 'schema', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))

const testFiles = new Set(
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
)

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  )

/** The links of a text that lead to a file of the project or to a heading, and lead nowhere. */
const brokenLinks = (path: string): string[] =>
  [...readText(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file))
      if (!existsSync(join(ROOT, target))) return true
      return anchor !== undefined && !anchorsOf(readText(target)).includes(anchor)
    })

/** Returns the total of the table of bytes in growth.md, in MB. */
function totalOfGrowth(): number {
  const [, total] = readText('functions/growth.md').match(/^\| total \|.*\| ([\d,]+) MB \|$/m) ?? []
  return Number(total?.replaceAll(',', ''))
}

describe('documents', () => {
  it('growth.md adds up', () => {
    const text = readText('functions/growth.md')
    const rows = [...text.matchAll(/^\| (.+) \| ([\d,]+) \| ([\d. KB+]+) \| (\d+) MB \|$/gm)]
    const sums = rows.map(([, what, aDay = '', bytes = '']) => {
      const each = [...bytes.matchAll(/[\d.]+/g)].reduce((sum, [kilobytes]) => sum + Number(kilobytes), 0)
      return { what, megabytes: Math.round((Number(aDay.replace(',', '')) * each) / 1_000) }
    })
    const written = rows.map(([, what, , , inAll]) => ({ what, megabytes: Number(inAll) }))
    const total = sums.reduce((sum, { megabytes }) => sum + megabytes, 0)
    expect({ rows: written, total: totalOfGrowth() }).toEqual({ rows: sums, total })
  })

  it('plans.md has the total of growth.md in its row of storage', () => {
    const [row = ''] = readText('functions/plans.md').match(/^\| storage \|.*$/m) ?? []
    const figures = [...row.matchAll(/([\d.]+) GB\b/g)].map(([, figure]) => figure)
    expect(figures).toContain((totalOfGrowth() / 1_000).toFixed(1))
  })

  it.each(texts)('every link of %s leads to a file and a heading of it', (path) => {
    expect(brokenLinks(path)).toEqual([])
  })

  it.each(texts)('every test file that %s names exists', (path) => {
    const named = [...readText(path).matchAll(/(?<![*.\w-])[\w-]+(?:\.(?:long|nightly))?\.test\.ts\b/g)].map(
      ([name]) => name,
    )
    expect(named.filter((name) => !testFiles.has(name))).toEqual([])
  })

  it("the root's table names every folder of lib, and the folders next to lib", () => {
    const [, table = ''] = readText('lib/README.md').match(/^\| Folder .*\n((?:\|.*\n)+)/m) ?? []
    const named = table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/[\w/-]+\//g)].map(([name]) => name))
    const rooms = folderNames('lib').map((name) => `lib/${name}/`)
    const beside = ['functions/', 'migrations/', 'schema/', 'schema/functions/', 'test/']
    expect(named).toEqual(expect.arrayContaining([...rooms, ...beside]))
    expect(named.filter((name) => !statSync(join(ROOT, name), { throwIfNoEntry: false }))).toEqual([])
  })
})
