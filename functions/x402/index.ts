import { createApp } from '../../lib/http/app.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

export { DatabaseHealth as Health } from '../../lib/http/database-health.ts'

export default createApp({ routes, deps })
