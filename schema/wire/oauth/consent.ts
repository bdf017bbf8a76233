import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { AUTHORIZATION_REQUEST, CLIENT_ID, NONCE, SIGNATURE, WALLET } from '../../examples.ts'
import { grantablePermissions } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { signedChallenge } from '../auth.ts'
import { Amount, Timestamp, WalletAddress } from '../common.ts'
import { Opaque } from '../text.ts'
import { MAX_CLIENT_ID, MAX_URI, OptionalParameter, Parameter } from './parameters.ts'

/** How long a connection can last, in days. */
const grantDays = [1, 30, 90] as const

/** Query of GET /oauth/request: the parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636). */
export const AuthorizationQuery = v.object({
  client_id: Parameter(MAX_CLIENT_ID),
  redirect_uri: Parameter(MAX_URI),
  response_type: OptionalParameter(100),
  code_challenge: OptionalParameter(200),
  code_challenge_method: OptionalParameter(20),
  state: OptionalParameter(2_048),
  scope: OptionalParameter(1_000),
  resource: OptionalParameter(MAX_URI),
})

describeParameters(
  AuthorizationQuery,
  {
    client_id:
      'The id of a registration (POST /oauth/register), or the URL of a client ID metadata document.',
    redirect_uri: 'Where the answer goes: one of the client’s redirect URIs; on localhost with any port.',
    response_type: '`code`.',
    code_challenge: 'Base64url of the SHA-256 of the code verifier.',
    code_challenge_method: '`S256`.',
    state: 'Returned with the answer.',
    scope:
      'What the client asks for, separated by spaces: `read`, `agents:hire`, `agents:charge`, `vault:transact`. Other scopes are ignored.',
    resource: 'The MCP server’s URL: /v1/mcp or /v1/mcp/wallet of this service.',
  },
  {
    client_id: CLIENT_ID,
    redirect_uri: 'https://app.example.com/callback',
  },
)

const Permissions = v.array(v.picklist(grantablePermissions))

/** Where an answer goes. */
const Destination = v.strictObject({
  kind: v.picklist(['web', 'app', 'computer']),
  host: v.optional(UserText),
})

describe(Destination, {
  name: 'ConnectionDestination',
  description: 'Where the code of a connection goes.',
  fields: {
    kind: '`web`: a site; `app`: an app on the device; `computer`: a program on the computer.',
    host: 'The host of the site, or the scheme of the app.',
  },
})

const Problem = v.strictObject({ error: OwnText, description: OwnText })

describe(Problem, {
  name: 'AuthorizationProblem',
  description: 'Why an authorization request can’t be granted.',
  fields: {
    error: 'The code of RFC 6749, 4.1.2.1.',
    description: 'What is wrong, for the client’s developers.',
  },
})

export const AuthorizationRequest = v.strictObject({
  clientName: UserText,
  clientHost: v.optional(UserText),
  destination: Destination,
  permissions: Permissions,
  request: v.optional(OwnText),
  expiresAt: v.optional(Timestamp),
  problem: v.optional(Problem),
  refuseUrl: UserText,
})

describe(AuthorizationRequest, {
  name: 'AuthorizationRequest',
  description: 'A program’s request to act for a wallet. It has `request` or `problem`.',
  fields: {
    clientName: 'The client’s name, in its own words: no proof of who it is.',
    clientHost: 'The host of the client’s metadata document, which is proven. A registered client has none.',
    destination: 'Where the code goes.',
    permissions: 'What the client asks for besides reading. The wallet may grant less.',
    request: 'The request, signed by the service: send it with the consent.',
    expiresAt: 'Until when the request can be granted: ten minutes.',
    problem: 'What is wrong with the request.',
    refuseUrl:
      'The redirect URI with the error, or with `access_denied`. Open it only if the user chooses so.',
  },
  example: {
    clientName: 'Example Assistant',
    clientHost: 'app.example.com',
    destination: { kind: 'web', host: 'app.example.com' },
    permissions: ['agents:hire'],
    request: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlcXVlc3Qrand0In0…',
    expiresAt: '2026-11-27T09:10:00.000Z',
    refuseUrl: 'https://app.example.com/callback?error=access_denied&iss=https%3A%2F%2Fapi.example.com',
  },
})

const choices = {
  request: Opaque('^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'),
  permissions: v.pipe(Permissions, v.maxLength(grantablePermissions.length)),
  spendLimit: v.optional(Amount),
  days: v.picklist(grantDays),
}

/** Body of POST /oauth/challenge. */
export const ConsentChoices = v.strictObject({ ...choices, publicKey: WalletAddress })

const choiceDocs = {
  request: 'The `request` of GET /oauth/request.',
  permissions: 'What the program may do besides reading: any that it asked for.',
  spendLimit:
    'The most that its hires may cost in total, in lamports: the sum of their budget limits. Only with `agents:hire`. Without it, budgets have no common limit.',
  days: 'When the connection ends: after 1, 30 or 90 days.',
}

const EXAMPLE = {
  request: AUTHORIZATION_REQUEST,
  publicKey: WALLET,
  permissions: ['agents:hire' as const],
  spendLimit: 5_000_000_000,
  days: 30 as const,
}

describe(ConsentChoices, {
  name: 'ConsentChoices',
  description: 'What a wallet will allow a program.',
  fields: { ...choiceDocs, publicKey: 'The wallet, in Base58.' },
  example: EXAMPLE,
})

/** Body of POST /oauth/consent. */
export const Consent = v.strictObject({ ...choices, ...signedChallenge })

describe(Consent, {
  name: 'Consent',
  description: 'A wallet’s signed consent.',
  fields: {
    ...choiceDocs,
    publicKey: 'The wallet, in Base58.',
    nonce: 'The nonce of the challenge.',
    signature: 'The wallet’s signature of the challenge, in Base58.',
    signedMessage:
      'The bytes that the wallet signed, in Base64, if it signed an off-chain message; as for a login.',
  },
  example: { ...EXAMPLE, nonce: NONCE, signature: SIGNATURE },
})

export const Consented = v.strictObject({ redirectTo: UserText })

describe(Consented, {
  name: 'Consented',
  description: 'The program may connect.',
  fields: { redirectTo: 'The redirect URI with the code, which is valid for 60 seconds and once.' },
  example: {
    redirectTo: 'https://app.example.com/callback?code=eyJhbGciOi…&iss=https%3A%2F%2Fapi.example.com',
  },
})
