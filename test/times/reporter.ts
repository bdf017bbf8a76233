import type { Reporter, TestModule } from 'vitest/node'
import { addTimes, pathOf } from './times.ts'

/** Adds the time of each test file of a run to the file that TEST_TIMES names. */
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.TEST_TIMES
    if (path) addTimes(path, Object.fromEntries(modules.map((one) => [pathOf(one.moduleId), secondsOf(one)])))
  }
}

/** Returns the seconds that a file took in its worker, loading included. */
function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  const all = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
  return Math.round(all / 100) / 10
}
