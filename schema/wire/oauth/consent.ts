import * as v from 'valibot'
import { AUTHORIZATION_REQUEST, CLIENT_ID, NONCE, SIGNATURE, WALLET } from '../../examples.ts'
import { grantablePermissions } from '../../values.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { signedChallenge } from '../auth.ts'
import { body, parameters } from '../body.ts'
import { Amount, Timestamp, WalletAddress } from '../common.ts'
import { Opaque } from '../text.ts'
import { MAX_CLIENT_ID, MAX_URI, OptionalParameter, Parameter } from './parameters.ts'

/** How long a connection can last, in days. */
const grantDays = [1, 30, 90] as const

/** Query of GET /oauth/request: the parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636). */
export const AuthorizationQuery = parameters(
  {
    client_id: [
      Parameter(MAX_CLIENT_ID),
      'The id of a registration (POST /oauth/register), or the URL of a client ID metadata document.',
    ],
    redirect_uri: [
      Parameter(MAX_URI),
      'Where the answer goes: one of the client’s redirect URIs; on localhost with any port.',
    ],
    response_type: [OptionalParameter(100), '`code`.'],
    code_challenge: [OptionalParameter(200), 'Base64url of the SHA-256 of the code verifier.'],
    code_challenge_method: [OptionalParameter(20), '`S256`.'],
    state: [OptionalParameter(2_048), 'Returned with the answer.'],
    scope: [
      OptionalParameter(1_000),
      'What the client asks for, separated by spaces: `read`, `agents:hire`, `agents:charge`, `jobs:use`, `jobs:decide`, `vault:transact`. Other scopes are ignored.',
    ],
    resource: [
      OptionalParameter(MAX_URI),
      'The MCP server’s URL: /v1/mcp or /v1/mcp/wallet of this service.',
    ],
  },
  {
    client_id: CLIENT_ID,
    redirect_uri: 'https://app.example.com/callback',
  },
)

const Permissions = v.array(v.picklist(grantablePermissions))

/** Where an answer goes. */
const Destination = body('ConnectionDestination', 'Where the code of a connection goes.', {
  kind: [
    v.picklist(['web', 'app', 'computer']),
    '`web`: a site; `app`: an app on the device; `computer`: a program on the computer.',
  ],
  host: [v.optional(UserText), 'The host of the site, or the scheme of the app.'],
})

const Problem = body('AuthorizationProblem', 'Why an authorization request can’t be granted.', {
  error: [OwnText, 'The code of RFC 6749, 4.1.2.1.'],
  description: [OwnText, 'What is wrong, for the client’s developers.'],
})

export const AuthorizationRequest = body(
  'AuthorizationRequest',
  'A program’s request to act for a wallet. It has `request` or `problem`.',
  {
    clientName: [UserText, 'The client’s name, in its own words: no proof of who it is.'],
    clientHost: [
      v.optional(UserText),
      'The host of the client’s metadata document, which is proven. A registered client has none.',
    ],
    destination: [Destination, 'Where the code goes.'],
    permissions: [Permissions, 'What the client asks for besides reading. The wallet may grant less.'],
    request: [v.optional(OwnText), 'The request, signed by the service: send it with the consent.'],
    expiresAt: [v.optional(Timestamp), 'Until when the request can be granted: ten minutes.'],
    problem: [v.optional(Problem), 'What is wrong with the request.'],
    refuseUrl: [
      UserText,
      'The redirect URI with the error, or with `access_denied`. Open it only if the user chooses so.',
    ],
  },
  {
    clientName: 'Example Assistant',
    clientHost: 'app.example.com',
    destination: { kind: 'web', host: 'app.example.com' },
    permissions: ['agents:hire'],
    request: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlcXVlc3Qrand0In0…',
    expiresAt: '2026-11-27T09:10:00.000Z',
    refuseUrl: 'https://app.example.com/callback?error=access_denied&iss=https%3A%2F%2Fapi.example.com',
  },
)

const choices = {
  request: [
    Opaque('^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'),
    'The `request` of GET /oauth/request.',
  ],
  permissions: [
    v.pipe(Permissions, v.maxLength(grantablePermissions.length)),
    'What the program may do besides reading: any that it asked for.',
  ],
  spendLimit: [
    v.optional(Amount),
    'The most that its hires may cost in total, in lamports: the sum of their budget limits. Only with `agents:hire`. Without it, budgets have no common limit.',
  ],
  days: [v.picklist(grantDays), 'When the connection ends: after 1, 30 or 90 days.'],
} as const

const EXAMPLE = {
  request: AUTHORIZATION_REQUEST,
  publicKey: WALLET,
  permissions: ['agents:hire' as const],
  spendLimit: 5_000_000_000,
  days: 30 as const,
}

/** Body of POST /oauth/challenge. */
export const ConsentChoices = body(
  'ConsentChoices',
  'What a wallet will allow a program.',
  { ...choices, publicKey: [WalletAddress, 'The wallet, in Base58.'] },
  EXAMPLE,
)

/** Body of POST /oauth/consent. */
export const Consent = body(
  'Consent',
  'A wallet’s signed consent.',
  { ...choices, ...signedChallenge },
  { ...EXAMPLE, nonce: NONCE, signature: SIGNATURE },
)

export const Consented = body(
  'Consented',
  'The program may connect.',
  { redirectTo: [UserText, 'The redirect URI with the code, which is valid for 60 seconds and once.'] },
  {
    redirectTo: 'https://app.example.com/callback?code=eyJhbGciOi…&iss=https%3A%2F%2Fapi.example.com',
  },
)
