import { registerHooks } from 'node:module'
registerHooks({ resolve(specifier, context, next) {
  if (context.parentURL?.includes('/node_modules/drizzle-orm/') && specifier.startsWith('.')) return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
  return next(specifier, context)
} })
