import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { shardOf, slowFirst } from './order.ts'
import { pathOf, RECORDED, readTimes } from './times.ts'

/**
 * Begins with the files that took longest in the last nightly run: one that begins last leaves all other
 * workers idle. A new file begins first.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(specs.map(withPath), times).map(({ spec }) => spec)
  }

  override async shard(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    return shardOf(specs.map(withPath), times, { index, count }).map(({ spec }) => spec)
  }
}

const times = readTimes(RECORDED)

const withPath = (spec: TestSpecification) => ({ spec, path: pathOf(spec.moduleId) })
