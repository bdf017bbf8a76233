import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Statement } from '../../../lib/migrations/protocol.ts'
import type { Row } from './rows.ts'

/** What one statement answered, as far as the Worker that sent it depends on it. */
export type Result = {
  /** Each column's name and type. */
  columns: string[]
  /** The number of rows that were returned or changed. */
  rows: number | null
  /** The column `outcome`, of a function that decides. */
  outcome?: string
}

/** What a request to the database answered: a result for each statement, or what Postgres refused. */
export type Answer = { results: Result[] } | { code: string; constraint?: string }

/** A request that a Worker sent, the rows that were there before it, and its answer. */
export type Example = {
  /** The login of the Worker; null for the owner's, by which scripts work. */
  role: string | null
  statements: Statement[]
  answer: Answer
  rows: Row[]
}

/** The needs of a release: the statements of its Workers, by examples, and its functions. */
export type Recording = {
  version: string
  /** Hashes of the release's migrations, the oldest first. */
  migrations: string[]
  /** The schema of its functions. */
  apiSchema: string
  /** The SQL that makes that schema as it was, with its rights. */
  functions: string
  examples: Example[]
}

/** A recording as stored: each row once, since the rows of a test's examples are mostly the same. */
type Kept = Omit<Recording, 'examples'> & {
  rows: Row[]
  examples: (Omit<Example, 'rows'> & { rows: number[] })[]
}

const FOLDER = join(import.meta.dirname, '../../upgrade')
const fileOf = (version: string) => join(FOLDER, version, 'recording.json.br')

/** Returns the releases with stored recordings. */
export const recordedVersions = (): string[] =>
  readdirSync(FOLDER).filter((version) => existsSync(fileOf(version)))

export function readRecording(version: string): Recording {
  const kept: Kept = JSON.parse(brotliDecompressSync(readFileSync(fileOf(version))).toString())
  const { rows, examples, ...rest } = kept
  const rowOf = (index: number) => rows[index] ?? raise(`the recording of ${version} has no row ${index}`)
  return { ...rest, examples: examples.map((one) => ({ ...one, rows: one.rows.map(rowOf) })) }
}

/** @returns how many bytes it takes */
export function writeRecording(recording: Recording): number {
  const rows = new Map<string, number>()
  const indexOf = (row: Row) => {
    const text = JSON.stringify(row)
    const index = rows.get(text) ?? rows.size
    rows.set(text, index)
    return index
  }
  const examples = recording.examples.map((one) => ({ ...one, rows: one.rows.map(indexOf) }))
  const kept: Kept = { ...recording, rows: [...rows.keys()].map((text) => JSON.parse(text)), examples }
  const text = JSON.stringify(kept)
  const compressed = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  mkdirSync(dirname(fileOf(recording.version)), { recursive: true })
  writeFileSync(fileOf(recording.version), compressed)
  return compressed.length
}

function raise(message: string): never {
  throw new Error(message)
}
