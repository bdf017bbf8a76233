import { createApp } from '../../lib/http/app.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

export { Health } from '../../lib/http/worker-health.ts'

export default createApp({ routes, deps })
