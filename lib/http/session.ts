import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Permission } from '../../schema/values.ts'
import { ApiError } from '../api-error.ts'
import { allowedNow, type RoleSettings } from '../auth/session/rules.ts'
import { bearerOf, type Session, verifySession } from '../auth/session/token.ts'
import type { Db } from '../db/connect.ts'
import { forSession } from '../db/session.ts'
import {
  type LimitName,
  limitByWallet,
  limitByWalletAndAddress,
  limitSessionsByAddress,
  limitWallets,
} from './rate-limit.ts'

/**
 * Access by a session: the permissions of which it needs one (any session, if the list is empty), and the
 * middleware that checks and limits it.
 */
export type SessionAccess = {
  permissions: Permission[]
  stages: (limit: LimitName) => MiddlewareHandler[]
}

/**
 * Requires a valid session token in the Authorization header, without I/O. If `permissions` are given, the
 * token must have one of them, and a role's setting must still grant it. Afterwards the session is
 * `c.var.session`, and the database of the dependencies rejects revoked sessions. Every operation that
 * changes something names a permission, because a session may have few. Only Workers that call this bundle
 * the check.
 * @throws ApiError token_missing or token_invalid (401), permission_missing (403)
 */
export const withSession = (...permissions: Permission[]): SessionAccess => ({
  permissions,
  stages: (limit) => [limitSessionsByAddress, guardOf(permissions), limitByWallet(limit), limitWallets],
})

/**
 * Access, by any session, to an operation that ends access. Its calls count by wallet and address, so that a
 * thief of a token can't use up the calls with which the owner ends it.
 */
export const anySessionToEndAccess: SessionAccess = {
  permissions: [],
  stages: (limit) => [limitSessionsByAddress, guardOf([]), limitByWalletAndAddress(limit)],
}

const guardOf = (permissions: Permission[]): MiddlewareHandler =>
  createMiddleware<{
    Bindings: { SESSION_JWKS: string; TOKEN_RESOURCE?: string } & RoleSettings
    Variables: { now: Date; session: Session; deps: { db: Db } }
  }>(async (c, next) => {
    const token = bearerOf(c.req.raw.headers)
    if (token === undefined) {
      throw new ApiError('token_missing', 'Send a session token: Authorization: Bearer <token>.', {
        challenge: {},
      })
    }
    const { SESSION_JWKS, TOKEN_RESOURCE } = c.env
    const session = allowedNow(await verifySession(SESSION_JWKS, token, c.get('now'), TOKEN_RESOURCE), c.env)
    if (permissions.length > 0 && !permissions.some((each) => session.permissions.includes(each))) {
      throw new ApiError('permission_missing', `This needs the permission ${permissions.join(' or ')}.`, {
        challenge: { error: 'insufficient_scope', scope: permissions.join(' ') },
      })
    }
    c.set('session', session)
    const deps = c.get('deps')
    c.set('deps', { ...deps, db: forSession(deps.db, session) })
    await next()
  })
