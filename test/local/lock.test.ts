import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lockFile } from '../../lib/local/lock.ts'
import { temporaryFolder } from '../support/key-files.ts'

/** A lock file that does not exist yet, or has been left with this content. */
function lockWith(content?: string): string {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const path = join(temporaryFolder(), 'lock')
  if (content !== undefined) writeFileSync(path, content)
  return path
}

/** A process that runs until it is killed. */
function sleeper(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['600'])
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { pid: child.pid ?? 0 })
}

const startedAtOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]

it.each([
  ['a dead process', '99999999'],
  ['a dead process, with its start', '99999999 123'],
  ['an earlier process that had our pid, as in a restarted container', `${process.pid} 1`],
  ['an earlier process whose pid another has now', `${process.ppid} 1`],
  ['a process that died while it wrote', ''],
])('takes over the lock of %s', async (_owner, content) => {
  const path = lockWith(content)
  const release = await lockFile(path, { patienceMs: 0 })
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid} ${startedAtOf(process.pid)}`)
  release()
  expect(existsSync(path)).toBe(false)
})

it('takes over the lock of a zombie, which its parent may never collect', async () => {
  // A shell would reap its child, so it first becomes a program that never does.
  const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
  onTestFinished(() => void shell.kill('SIGKILL'))
  const pid = String((await once(shell.stdout, 'data'))[0]).trim()
  await expect.poll(() => readFileSync(`/proc/${shell.pid}/comm`, 'utf8')).toBe('sleep\n')
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
  ;(await lockFile(lockWith(`${pid} ${startedAtOf(pid)}`), { patienceMs: 0 }))()
})

it('waits for the lock of a process that ends', async () => {
  const child = sleeper()
  const path = lockWith(`${child.pid} ${startedAtOf(child.pid)}`)
  const locked = lockFile(path)
  child.kill('SIGKILL')
  const release = await locked
  release()
})

it.each([
  ['', (pid: number) => `${pid} ${startedAtOf(pid)}`],
  [', of which it does not say when it started', String],
])('says what to do about a process that goes on%s', async (_how, content) => {
  const { pid } = sleeper()
  const path = lockWith(content(pid))
  await expect(lockFile(path, { patienceMs: 200 })).rejects.toThrow(
    `${dirname(path)} is in use by process ${pid}: end it (kill ${pid}) and start again, or set DATA_DIR`,
  )
  expect(console.log).toHaveBeenCalledTimes(1)
  expect(readFileSync(path, 'utf8')).toBe(content(pid))
})

it('lets one of many processes take over a dead one’s lock', async () => {
  const folder = temporaryFolder()
  const count = 300
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `lock${i}`), '99999999 1')
  // They begin at one moment, when all are ready. Each takes what locks it can, and none ends before all have
  // tried: a lock of its own is never a dead one's.
  const script = `
    const { lockFile } = await import('${new URL('../../lib/local/lock.ts', import.meta.url)}')
    console.log('ready')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    let taken = 0
    for (let i = 0; i < ${count}; i++)
      await lockFile('${folder}/lock' + i, { patienceMs: 0 }).then(() => taken++, () => {})
    console.log(taken)`
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script]),
  )
  onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')))
  const said = () => Promise.all(children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])))
  expect(await said()).toEqual(Array(4).fill('ready\n'))
  const saying = said()
  for (const { stdin } of children) stdin.write('go')
  const taken = (await saying).map(Number)
  expect(taken.reduce((sum, one) => sum + one)).toBe(count)
})

it('removes a dead one’s lock although another process died while it did so', async () => {
  const path = lockWith('99999999 1')
  writeFileSync(`${path}.removal`, '99999998 1')
  const release = await lockFile(path)
  expect(existsSync(`${path}.removal`)).toBe(false)
  release()
})

it('waits for nobody in this process', async () => {
  const path = lockWith()
  const release = await lockFile(path)
  await expect(lockFile(path)).rejects.toThrow(`in use by process ${process.pid}`)
  expect(console.log).not.toHaveBeenCalled()
  release()
  ;(await lockFile(path))()
})
