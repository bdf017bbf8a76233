import { WorkerEntrypoint } from 'cloudflare:workers'
import { mcpResource } from '../auth/session/resource.ts'

/** A Worker's application. */
type Application = {
  fetch(request: Request, env: object, ctx: ExecutionContext): Response | Promise<Response>
}

/**
 * Makes the entrypoint Tools of a Worker behind tools: the same application, which also accepts access tokens
 * of the MCP server. Only the mcp Worker binds it. So a client that a user allowed to use tools reaches no
 * other operation.
 */
export const toolsOf = (app: Application) =>
  class extends WorkerEntrypoint<{ API_ORIGIN: string }> {
    override fetch(request: Request): Response | Promise<Response> {
      const env = { ...this.env, TOKEN_RESOURCE: mcpResource(this.env.API_ORIGIN) }
      return app.fetch(request, env, this.ctx)
    }
  }
