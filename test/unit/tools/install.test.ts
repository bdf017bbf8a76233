import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

// npm would warn of these two, and .npmrc hides its warnings.

it('every installed package with an install script is allowed or refused it by name', () => {
  const { packages }: { packages: Record<string, { hasInstallScript?: boolean }> } = read('package-lock.json')
  const installed = Object.keys(packages).filter(
    (path) => packages[path]?.hasInstallScript && existsSync(join(ROOT, path)),
  )
  const names = installed.map((path) => path.split('node_modules/').at(-1) ?? '')
  expect(names).toContain('workerd')
  expect(Object.keys(read('package.json').allowScripts)).toEqual(expect.arrayContaining(names))
})

it('no package of the lock file is deprecated', () => {
  const { packages }: { packages: Record<string, { deprecated?: string }> } = read('package-lock.json')
  expect(Object.keys(packages).filter((path) => packages[path]?.deprecated)).toEqual([])
})
