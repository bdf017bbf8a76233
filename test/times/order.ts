import type { Times } from './times.ts'

/** Sorts test files by their time, the slowest first, then by path: each run has the same order. */
export function slowFirst<File extends { path: string }>(files: File[], times: Times): File[] {
  const timeOf = ({ path }: File) => times[path] ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)]
    return first === second ? a.path.localeCompare(b.path) : second - first
  })
}

/** Returns the files of one of several shards that take about the same time. @param index from 1 */
export function shardOf<File extends { path: string }>(
  files: File[],
  times: Times,
  { index, count }: { index: number; count: number },
): File[] {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as File[] }))
  for (const file of slowFirst(files, times)) {
    const least = shards.reduce((best, one) => (one.seconds < best.seconds ? one : best))
    least.files.push(file)
    least.seconds += times[file.path] ?? 0
  }
  return shards[index - 1]?.files ?? []
}
