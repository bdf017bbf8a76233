import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { pathOf, RECORDED, readTimes } from './times.ts'

/**
 * Begins with the files that took longest in the last nightly run: one that begins last leaves all other
 * workers idle. A new file begins first.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(files)
  }

  /** Gives each shard about the same time: a file goes to the shard that has least so far. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {}
    const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as TestSpecification[] }))
    for (const file of slowFirst(files)) {
      const [least] = shards.toSorted((a, b) => a.seconds - b.seconds)
      least?.files.push(file)
      if (least) least.seconds += times[pathOf(file.moduleId)] ?? 0
    }
    return shards[index - 1]?.files ?? []
  }
}

const times = readTimes(RECORDED)

/** Sorts by time, then by path, so that each run has the same order. */
function slowFirst(files: TestSpecification[]): TestSpecification[] {
  const timeOf = ({ moduleId }: TestSpecification) => times[pathOf(moduleId)] ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)]
    return first === second ? a.moduleId.localeCompare(b.moduleId) : second - first
  })
}
