import { ardRoutes } from './ard-routes.ts'

export const routes = [...ardRoutes]
