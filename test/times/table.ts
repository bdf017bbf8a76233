import { dirname } from 'node:path'
import { readTimes, type Times } from './times.ts'

/** How many files the table names. */
const SLOWEST = 20

/** Returns the slowest test files, and the sums by folder. */
function tableOf(times: Times): string {
  const files = Object.entries(times).toSorted(([, a], [, b]) => b - a)
  const folders: Times = {}
  for (const [file, seconds] of files) folders[folderOf(file)] = (folders[folderOf(file)] ?? 0) + seconds
  const all = files.reduce((sum, [, seconds]) => sum + seconds, 0)
  return [
    `\nThe slowest ${Math.min(SLOWEST, files.length)} of ${files.length} test files, in seconds of a worker:`,
    ...files.slice(0, SLOWEST).map(lineOf),
    '\nBy folder:',
    ...Object.entries(folders)
      .toSorted(([, a], [, b]) => b - a)
      .map(lineOf),
    lineOf(['all', all]),
  ].join('\n')
}

/** Returns the folder below test/, such as test/unit for test/unit/schema/times.test.ts. */
function folderOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/')
}

function lineOf([name, seconds]: [string, number]): string {
  return `${seconds.toFixed(1).padStart(8)}  ${name}`
}

const [path = ''] = process.argv.slice(2)
console.log(tableOf(readTimes(path)))
