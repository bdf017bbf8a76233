import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that take minutes, the slowest first. Each is one task for one worker. */
const SLOW = [
  ...[
    'rollback',
    'bench',
    'rollback-kills',
    'plans',
    'setup-more',
    'destroy',
    'setup-wrangler-kills',
    'rotate',
  ],
  ...['stages', 'state-kills', 'setup-kills', 'upgrade-kills', 'reference-samples'],
].map((name) => `test/local/${name}.long.test.ts`)

/** Begins with the slow files: one that begins last leaves all other workers idle for minutes. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOW.findIndex((name) => moduleId.endsWith(name))
      return found < 0 ? SLOW.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
