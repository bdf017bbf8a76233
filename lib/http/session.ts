import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '../refusal.ts'
import { allowedNow, type RoleSettings } from '../session/rules.ts'
import { type Permission, type Session, verifySession } from '../session/token.ts'

/** Access by a session: which permission its token must carry, if any, and the check. */
export type SessionAccess = { permission: Permission | undefined; guard: MiddlewareHandler }

/**
 * Lets a request pass only with a valid session token in its Authorization header and, when `permission` is
 * given, only if the token carries it and, where a setting gives it to wallets, the setting still does. No
 * I/O. The session is then `c.var.session`. What the check needs is in the bundles only of those Workers that
 * call this.
 * @throws Refusal token_missing or token_invalid (401), permission_missing (403)
 */
export const withSession = (permission?: Permission): SessionAccess => ({
  permission,
  guard: createMiddleware<{
    Bindings: { SESSION_JWKS: string } & RoleSettings
    Variables: { now: Date; session: Session }
  }>(async (c, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (token === undefined) {
      throw new Refusal('token_missing', 'Send a session token: Authorization: Bearer <token>.', {
        challenge: {},
      })
    }
    const session = allowedNow(await verifySession(c.env.SESSION_JWKS, token, c.get('now')), c.env)
    if (permission !== undefined && !session.permissions.includes(permission)) {
      throw new Refusal('permission_missing', `This needs the permission ${permission}.`, {
        challenge: { error: 'insufficient_scope', scope: permission },
      })
    }
    c.set('session', session)
    await next()
  }),
})
