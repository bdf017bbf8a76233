import { WorkerEntrypoint } from 'cloudflare:workers'

/**
 * What a Worker says of itself to root: the version that answers, and whether its database knows its release.
 */
export type WorkerHealth = { version: string; database?: boolean }

/** The id of the version that runs; none on the local platform. A deployment binds it to every Worker. */
export const versionOf = (env: object): string =>
  (Reflect.get(env, 'VERSION') as { id: string } | undefined)?.id ?? ''

/**
 * The entry by which root asks a Worker how it is, over a service binding. It is a fetch, since a call of a
 * method can't be sent to a certain version of a Worker.
 */
export class Health<Env extends object = object> extends WorkerEntrypoint<Env> {
  async health(): Promise<WorkerHealth> {
    return { version: versionOf(this.env) }
  }

  override async fetch(): Promise<Response> {
    return Response.json(await this.health())
  }
}
