import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Permission } from '../../schema/values.ts'
import { allowedNow, type RoleSettings } from '../auth/session/rules.ts'
import { type Session, verifySession } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { forSession } from '../db/session.ts'
import { Refusal } from '../refusal.ts'
import { type LimitName, limitByWallet, limitSessionsByAddress } from './rate-limit.ts'

/**
 * Access by a session: which permissions let pass (any session, if there are none); the checks, and what
 * counts its calls.
 */
export type SessionAccess = {
  permissions: Permission[]
  stages: (limit: LimitName) => MiddlewareHandler[]
}

/**
 * Lets a request pass only with a valid session token in its Authorization header and, when `permissions` are
 * given, only if the token carries one of them and, where a setting gives it to wallets, the setting still
 * does. No I/O. The session is then `c.var.session`, and the database of the dependencies is the session's:
 * it runs nothing for a session that was revoked. What the check needs is in the bundles only of those
 * Workers that call this. What changes anything names a permission: a session may have been given few.
 * @throws Refusal token_missing or token_invalid (401), permission_missing (403)
 */
export const withSession = (...permissions: Permission[]): SessionAccess => ({
  permissions,
  stages: (limit) => [limitSessionsByAddress, guardOf(permissions), limitByWallet(limit)],
})

const guardOf = (permissions: Permission[]): MiddlewareHandler =>
  createMiddleware<{
    Bindings: { SESSION_JWKS: string } & RoleSettings
    Variables: { now: Date; session: Session; deps: { db: Db } }
  }>(async (c, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (token === undefined) {
      throw new Refusal('token_missing', 'Send a session token: Authorization: Bearer <token>.', {
        challenge: {},
      })
    }
    const session = allowedNow(await verifySession(c.env.SESSION_JWKS, token, c.get('now')), c.env)
    if (permissions.length > 0 && !permissions.some((each) => session.permissions.includes(each))) {
      throw new Refusal('permission_missing', `This needs the permission ${permissions.join(' or ')}.`, {
        challenge: { error: 'insufficient_scope', scope: permissions.join(' ') },
      })
    }
    c.set('session', session)
    const deps = c.get('deps')
    c.set('deps', { ...deps, db: forSession(deps.db, session) })
    await next()
  })
