import type { InferOutput } from 'valibot'
import type { NewConnection, NewConnectionChoices } from '../../../schema/wire/new-connection.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import type { SigningDeps } from './tokens.ts'

/** A new connection: a token that is shown once, or the client id of a key. */
export type CreatedConnection =
  | { id: string; token: string; expiresAt: Date }
  | { id: string; clientId: string; expiresAt: Date }

export async function createConnectionChallenge(
  _deps: SigningDeps,
  _choices: InferOutput<typeof NewConnectionChoices>,
  _origin: string | null,
): Promise<never> {
  throw new ApiError('dependency_unavailable', 'Not built yet.')
}

export async function createConnection(
  _deps: SigningDeps & { db: Db; consentsPerAddress: number; nudge: Nudge },
  _input: InferOutput<typeof NewConnection>,
  _origin: string | null,
  _address: string,
): Promise<CreatedConnection> {
  throw new ApiError('dependency_unavailable', 'Not built yet.')
}
