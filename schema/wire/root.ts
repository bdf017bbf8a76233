import * as v from 'valibot'
import { describe } from '../docs.ts'
import { API_VERSION } from '../release.ts'
import { OwnText } from './answer-text.ts'

export const ApiInfo = v.strictObject({
  name: OwnText,
  version: OwnText,
  status: OwnText,
  endpoints: v.array(OwnText),
})
describe(ApiInfo, {
  name: 'ApiInfo',
  description: 'What answers at the base address.',
  fields: {
    name: 'Name of the service.',
    version: 'Version of the API description.',
    status: '`operational`.',
    endpoints:
      'Method and path of every endpoint, relative to the base address; well-known paths are at the host’s root.',
  },
  example: {
    name: 'AgentCred',
    version: API_VERSION,
    status: 'operational',
    endpoints: ['GET /', 'GET /agents'],
  },
})
