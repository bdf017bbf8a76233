import * as v from 'valibot'
import { API_VERSION } from '../release.ts'
import { OwnText } from './answer-text.ts'
import { body } from './body.ts'

export const ApiInfo = body(
  'ApiInfo',
  'What answers at the base address.',
  {
    name: [OwnText, 'Name of the service.'],
    version: [OwnText, 'Version of the API description.'],
    status: [OwnText, '`operational`.'],
    endpoints: [
      v.array(OwnText),
      'Method and path of every endpoint, relative to the base address; well-known paths are at the host’s root.',
    ],
  },
  {
    name: 'AgentCred',
    version: API_VERSION,
    status: 'operational',
    endpoints: ['GET /', 'GET /agents'],
  },
)
