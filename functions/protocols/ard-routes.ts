import { aiCatalog, ardManifest } from '../../lib/ard/catalog.ts'
import { endpointFor } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { AiCatalog, ArdManifest } from '../../schema/wire/ard.ts'
import type { Deps } from './deps.ts'

const endpoint = endpointFor<Cloudflare.ProtocolsEnv, Deps>()

/** Agentic Resource Discovery: how other software finds us and our agents. */
export const ardRoutes = [
  endpoint({
    method: 'GET',
    path: '/.well-known/ard.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    words: WORDS && {
      id: 'getArdManifest',
      summary: 'Read what we publish',
      description:
        'The manifest of Agentic Resource Discovery 0.91, at the host’s root. Its entry of type application/ai-registry+json leads to the search over all agents.',
      answers: { 200: { description: 'The manifest.', schema: ArdManifest } },
      errors: [],
    },
    handle: ({ deps }) => json(ardManifest(deps.publication)),
  }),
  endpoint({
    method: 'GET',
    path: '/.well-known/ai-catalog.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    words: WORDS && {
      id: 'getAiCatalog',
      summary: 'Read what we publish, in the older format',
      description: 'For software that looks where ARD’s predecessor has it, at the host’s root.',
      answers: { 200: { description: 'The catalog.', schema: AiCatalog } },
      errors: [],
    },
    handle: ({ deps }) => json(aiCatalog(deps.publication)),
  }),
]
