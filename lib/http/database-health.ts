import { knowsRelease } from '../db/answers.ts'
import { connect } from '../db/connect.ts'
import { Health, type WorkerHealth } from './worker-health.ts'

/** Health of a Worker with a database: checks that its login may call its release's functions. */
export class DatabaseHealth<
  Env extends { DATABASE_URL: string } = { DATABASE_URL: string },
> extends Health<Env> {
  override async health(): Promise<WorkerHealth> {
    return { ...(await super.health()), database: await knowsRelease(connect(this.env.DATABASE_URL)) }
  }
}
