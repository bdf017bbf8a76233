import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goCalls, pythonCalls, typescriptCalls } from './calls.ts'
import { remove, run, runNpm, runPython, write } from './workshop.ts'

/** A generator: writes code from the document, compiles it, and calls the API with it. */
export type Generator = {
  name: string
  version: string
  document: 'openapi.json' | 'openapi-3.0.json'
  /** @returns what the call printed */
  call(document: string, baseUrl: string): string
}

const pinned = (file: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1] ?? 'without a version'
const npmVersion = (name: string) => pinned('package.json', new RegExp(`"${name}": "(.*)"`))
const pythonVersion = (name: string) => pinned('requirements.txt', new RegExp(`^${name}==(.*)$`, 'm'))

/** TypeScript as a program would have it: strict, checked with what it calls, and run by Node. */
function typescript(
  name: keyof typeof typescriptCalls,
  document: Generator['document'],
  version: string,
  generate: (document: string, folder: string) => void,
): Generator {
  const folder = `npm/${name}`
  return {
    name,
    version,
    document,
    call(file, baseUrl) {
      remove(folder)
      write(`${folder}/call.ts`, typescriptCalls[name])
      write(`${folder}/package.json`, '{}')
      generate(file, folder)
      const options = '--strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node10'
      runNpm(folder, 'tsc', ...options.split(' '), '--lib', 'es2022,dom,dom.iterable', 'call.ts')
      return run(folder, process.execPath, 'call.js', baseUrl)
    },
  }
}

/** Python, all of whose modules are compiled and imported. */
function python(
  name: keyof typeof pythonCalls,
  document: Generator['document'],
  version: string,
  generate?: (document: string, folder: string) => string,
): Generator {
  const folder = `python-${name}`
  return {
    name,
    version,
    document,
    call(file, baseUrl) {
      remove(folder)
      write(`${folder}/call.py`, pythonCalls[name])
      const made = generate?.(file, folder)
      if (made) {
        write(`${folder}/import_all.py`, importAll(made))
        runPython(folder, 'python', 'import_all.py')
      }
      return runPython(folder, 'python', 'call.py', file, baseUrl)
    },
  }
}

const importAll = (made: string) => `import importlib, pkgutil, ${made}
for module in pkgutil.walk_packages(${made}.__path__, '${made}.'):
    importlib.import_module(module.name)
`

/** Go, vetted with what calls it. */
function go(
  name: keyof typeof goCalls,
  version: string,
  made: string,
  generate: (document: string, folder: string) => void,
): Generator {
  return {
    name,
    version,
    document: 'openapi-3.0.json',
    call(file, baseUrl) {
      remove(`go/${made}`)
      write(`go/call-${made}/main.go`, goCalls[name])
      write(`go/${made}/made`, '')
      generate(file, `go/${made}`)
      run('go', 'go', 'vet', `./${made}`, `./call-${made}`)
      return run('go', 'go', 'run', `./call-${made}`, baseUrl)
    },
  }
}

const OPENAPI_GENERATOR = pythonVersion('openapi-generator-cli')
const openApiGenerator = (name: string, document: string, folder: string, ...options: string[]) =>
  runPython(folder, 'openapi-generator-cli', 'generate', '-g', name, '-i', document, ...options)

export const generators: Generator[] = [
  typescript('openapi-typescript', 'openapi.json', npmVersion('openapi-typescript'), (document, folder) =>
    runNpm(folder, 'openapi-typescript', document, '-o', 'generated.ts'),
  ),
  typescript('hey-api', 'openapi.json', npmVersion('@hey-api/openapi-ts'), (document, folder) =>
    runNpm(folder, 'openapi-ts', '-i', document, '-o', 'generated', '-c', '@hey-api/client-fetch'),
  ),
  typescript('orval', 'openapi.json', npmVersion('orval'), (document, folder) =>
    runNpm(folder, 'orval', '--input', document, '--output', 'generated.ts', '--client', 'fetch'),
  ),
  python(
    'openapi-python-client',
    'openapi.json',
    pythonVersion('openapi-python-client'),
    (document, folder) => {
      const words = runPython(
        folder,
        'openapi-python-client',
        'generate',
        '--path',
        document,
        '--meta',
        'none',
      )
      if (words.includes('omitted') || words.includes('Unable'))
        throw new Error(`it left something out:\n${words}`)
      return 'agent_cred_client'
    },
  ),
  python('fastmcp', 'openapi.json', pythonVersion('fastmcp')),
  go('oapi-codegen', pinned('go.mod', /oapi-codegen\/v2 (v\S+)/), 'oapicodegen', (document, folder) => {
    const options = ['-generate', 'types,client', '-package', 'oapicodegen', '-o', 'generated.go']
    run(folder, 'go', 'tool', 'oapi-codegen', ...options, document)
  }),
  go('go', OPENAPI_GENERATOR, 'openapigenerator', (document, folder) => {
    openApiGenerator('go', document, folder, '--package-name', 'openapigenerator')
    // A module of its own, and tests that ask for it by the name of a repository.
    for (const part of ['go.mod', 'go.sum', 'test']) remove(`${folder}/${part}`)
  }),
  python('python', 'openapi-3.0.json', OPENAPI_GENERATOR, (document, folder) => {
    openApiGenerator('python', document, folder)
    return 'openapi_client'
  }),
  typescript('typescript-fetch', 'openapi-3.0.json', OPENAPI_GENERATOR, (document, folder) =>
    openApiGenerator('typescript-fetch', document, folder, '-o', 'generated'),
  ),
].map((generator) =>
  generator.version === OPENAPI_GENERATOR
    ? { ...generator, name: `openapi-generator ${generator.name}` }
    : generator,
)
