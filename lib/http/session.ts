import { createMiddleware } from 'hono/factory'
import { Refusal } from '../refusal.ts'
import { bearerChallenge, type Permission, type Session, verifySession } from '../session/token.ts'

/** Marks a session guard, so that the API description and the route test can tell a protected route. */
export const GUARD = Symbol('session guard')

/**
 * Lets a request pass only with a valid session token in its Authorization header and, when `permission` is
 * given, only if the token carries it. Stateless: no I/O. The session is then `c.var.session`.
 * @throws Refusal token_missing or token_invalid (401), permission_missing (403)
 */
export const requireSession = (permission?: Permission) =>
  Object.assign(
    createMiddleware<{
      Bindings: { SESSION_JWKS: string }
      Variables: { now: Date; session: Session }
    }>(async (c, next) => {
      const token = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
      if (token === undefined) {
        throw new Refusal('token_missing', 'Send a session token: Authorization: Bearer <token>.', {
          headers: { 'www-authenticate': bearerChallenge() },
        })
      }
      const session = await verifySession(c.env.SESSION_JWKS, token, c.get('now'))
      if (permission !== undefined && !session.permissions.includes(permission)) {
        throw new Refusal('permission_missing', `This needs the permission ${permission}.`, {
          headers: {
            'www-authenticate': bearerChallenge('error="insufficient_scope"', `scope="${permission}"`),
          },
        })
      }
      c.set('session', session)
      await next()
    }),
    { [GUARD]: permission ?? true },
  )
