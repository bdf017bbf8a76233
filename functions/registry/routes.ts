import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { catalog } from '../../lib/registry/catalog.ts'
import { listRegisteredAgents } from '../../lib/registry/list.ts'
import { barKey, moderateEntry } from '../../lib/registry/moderate.ts'
import { prepareMessage } from '../../lib/registry/prepare.ts'
import { readRegisteredAgent } from '../../lib/registry/read.ts'
import { registerSigned } from '../../lib/registry/register.ts'
import {
  messageView,
  registeredAgentRow,
  registeredAgentView,
  registrationView,
  removalView,
} from '../../lib/registry/views.ts'
import {
  declarationExample,
  EntryPatch,
  EntryRemoval,
  RegisteredAgent,
  RegisteredAgentList,
  RegisteredAgentListQuery,
  RegisteredAgentPath,
  Registration,
  RegistrationMessage,
  RegistrationMessageRequest,
  RegistrationRequest,
  RegistryCatalog,
} from '../../schema/wire/registry.ts'
import { cardRoutes } from './card-routes.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.RegistryEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/registry/agents',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: RegisteredAgentListQuery,
    docs: {
      id: 'listRegisteredAgents',
      summary: 'Find registered agents',
      description:
        'Ordered by when a key was first registered, newest first. An update does not move an entry, so pages stay in order while agents are added and updated. With `endpoint` or `card`, or a `q` that matches more than a thousand agents, a page can have fewer agents than `limit`, even none, and still a `nextCursor`.',
      answers: {
        200: {
          description: 'One page of agents.',
          schema: RegisteredAgentList,
          links: {
            getRegisteredAgent: { pubkey: '#/agents/0/pubkey' },
          },
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query, url }) => {
      const page = await listRegisteredAgents(deps, query)
      return pageAnswer(RegisteredAgentList, 'agents', page.agents.map(registeredAgentRow), { url, ...page })
    },
  }),
  // No session: the body carries its own signature.
  operation({
    method: 'POST',
    path: '/registry/agents',
    access: 'public',
    limit: 'PUBLIC_WRITE_LIMIT',
    body: RegistrationRequest,
    docs: {
      id: 'registerSignedAgent',
      summary: 'Register an agent by its own signature',
      description:
        'Needs no session: the agent’s key signs the message that POST /registry/message returns, `namedMessage` (which names this deployment) or `message`. A later timestamp of the same key replaces its whole entry (200); the same or an earlier one is rejected. The message covers neither name nor fee, so a signature can be used once. Repeating the same body gets the same answer and status, while its timestamp is valid and its entry is the latest. A different body with the same signature is rejected. The text may also be signed in Solana’s off-chain message envelope. A client address may register 60 new keys and make 600 changes of known keys an hour.',
      answers: {
        200: {
          description: 'The entry, updated.',
          schema: Registration,
          links: { getRegisteredAgent: { pubkey: '#/agent/pubkey' } },
        },
        201: {
          description: 'The entry, new.',
          schema: Registration,
          links: { getRegisteredAgent: { pubkey: '#/agent/pubkey' } },
        },
      },
      errors: [
        'registration_refused',
        'registration_barred',
        'signature_used',
        'registration_outdated',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, body, headers, url }) => {
      const caller = { address: clientAddress(headers), service: new URL(url).origin }
      const { agent, isNew } = await registerSigned(deps, body, caller)
      return isNew ? json(registrationView(agent), 201) : json(registrationView(agent))
    },
  }),
  operation({
    method: 'GET',
    path: '/registry/agents/{pubkey}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: RegisteredAgentPath,
    docs: {
      id: 'getRegisteredAgent',
      summary: 'Read a registered agent',
      description: 'Its latest signed registration, also when it is suspended.',
      answers: { 200: { description: 'The agent.', schema: RegisteredAgent } },
      errors: ['invalid_request', 'registration_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      json(registeredAgentView(await readRegisteredAgent(deps, params.pubkey))),
  }),
  operation({
    method: 'PATCH',
    path: '/registry/agents/{pubkey}',
    access: withSession('agents:moderate'),
    limit: 'WALLET_LIMIT',
    params: RegisteredAgentPath,
    body: EntryPatch,
    docs: {
      id: 'moderateRegisteredAgent',
      summary: 'Suspend a registered agent',
      description:
        'For operators. A suspended entry is in no list until it is set to active again. Its key may register again, which changes the entry but does not end the suspension.',
      answers: {
        200: { description: 'The changed agent.', schema: RegisteredAgent },
      },
      errors: ['registration_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params, body }) =>
      json(registeredAgentView(await moderateEntry(deps, params.pubkey, body))),
  }),
  operation({
    method: 'DELETE',
    path: '/registry/agents/{pubkey}',
    access: withSession('agents:moderate'),
    limit: 'WALLET_LIMIT',
    params: RegisteredAgentPath,
    docs: {
      id: 'removeRegisteredAgent',
      summary: 'Remove a registered agent',
      description:
        'For operators. This is permanent: the entry is deleted, and its key cannot register again.',
      answers: { 200: { description: 'It is removed.', schema: EntryRemoval } },
      errors: ['registration_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) => json(removalView(await barKey(deps, params.pubkey))),
  }),
  operation({
    method: 'GET',
    path: '/registry/catalog',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getRegistryCatalog',
      summary: 'Read what a registration may contain',
      description:
        'Agent types, fee models with their units, capabilities with their layers, the manifest, the message.',
      answers: { 200: { description: 'The catalog.', schema: RegistryCatalog, example: catalog } },
      errors: [],
    },
    handle: () => json(catalog),
  }),
  operation({
    method: 'POST',
    path: '/registry/message',
    access: 'public',
    limit: 'PUBLIC_WRITE_LIMIT',
    body: RegistrationMessageRequest,
    docs: {
      id: 'prepareRegistration',
      summary: 'Read the message to sign',
      description:
        'Accepts an incomplete registration: pubkey and timestamp are required, and the serviceManifest if the registration will have one. Other fields are checked if present. Stores nothing.',
      answers: {
        200: {
          description: 'The message, and the fields that are still missing.',
          schema: RegistrationMessage,
          example: messageView(
            prepareMessage(
              { now: new Date('2026-11-20T09:00:00.250Z') },
              declarationExample,
              'https://api.example.com',
            ),
          ),
        },
      },
      errors: [],
    },
    handle: ({ deps, body, url }) => json(messageView(prepareMessage(deps, body, new URL(url).origin))),
  }),
  ...cardRoutes,
]
