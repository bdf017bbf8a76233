import type { Endpoint } from '../../lib/http/endpoint.ts'
import type { Deps } from './deps.ts'

export const routes: Endpoint<Deps>[] = []
