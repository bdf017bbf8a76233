import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { checkCommandLine } from './arguments.ts'

/**
 * Makes the scripts of package.json start faster, and answers --help and a wrong command line before they are
 * loaded, which takes seconds. `node --import` runs this before their modules.
 */

enableCompileCache(join(import.meta.dirname, '../../dist/compiled'))

/** drizzle-orm's modules are all ES modules. */
const DRIZZLE = /\/node_modules\/drizzle-orm\/[^?]*\.js$/

// Node 24 parses a package's exports again for each module that it resolves. drizzle-orm's exports are 180
// KB, so its 150 modules cost a second and 200 MB.
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('.') || !DRIZZLE.test(context.parentURL ?? ''))
      return nextResolve(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
  },
})

checkCommandLine()
