import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startMeAgain, supervise } from './supervise.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewarden-supervise-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that ends in these ways, one each time that it is started. */
async function runOf(...ends: readonly (number | 'SIGABRT' | 'SIGHUP')[]) {
  const book = join(folder, 'starts')
  appendFileSync(book, '')
  const program = `
    const { appendFileSync, readFileSync } = require('node:fs')
    const starts = readFileSync(${JSON.stringify(book)}, 'utf8').length
    appendFileSync(${JSON.stringify(book)}, '.')
    const end = ${JSON.stringify(ends)}[starts]
    if (typeof end === 'number') process.exit(end)
    process.kill(process.pid, end)
    setInterval(() => {}, 1000)`
  const printed: string[] = []
  const how = { options: { stdio: 'ignore' }, signals: [], say: (line: string) => printed.push(line), waitMs: 1 } as const
  const code = await supervise(process.execPath, ['-e', program], how)
  return { code, starts: readFileSync(book, 'utf8').length, printed }
}

test('a server that cannot trust itself any more, or that the system has ended, is started again', async () => {
  const { code, starts, printed } = await runOf(startMeAgain, 'SIGABRT', 134, 0)
  expect([code, starts, printed.length]).toEqual([0, 4, 3])
})

test('what a hang-up ended stays down', async () => {
  const { code, starts } = await runOf('SIGHUP', 0)
  expect([code, starts]).toEqual([1, 1])
})

test('a hang-up is passed on, and whoever lives through it is started again later', async () => {
  const book = join(folder, 'starts')
  const program = `
    const { appendFileSync, existsSync } = require('node:fs')
    if (existsSync(${JSON.stringify(book)})) process.exit(0)
    process.on('SIGHUP', () => process.exit(${startMeAgain}))
    appendFileSync(${JSON.stringify(book)}, '.')
    setInterval(() => {}, 1000)`
  const before = process.listeners('SIGHUP')
  const how = { options: { stdio: 'ignore' }, signals: ['SIGHUP'], say: () => {}, waitMs: 1 } as const
  const ended = supervise(process.execPath, ['-e', program], how)
  await expect.poll(() => existsSync(book)).toBe(true)
  process.emit('SIGHUP')
  expect(await ended).toBe(0)
  for (const each of process.listeners('SIGHUP')) if (!before.includes(each)) process.off('SIGHUP', each)
})

test('one that could not start stays down', async () => expect(await runOf(1, 0)).toEqual({ code: 1, starts: 1, printed: [] }))
test('one that ended in order stays down', async () => expect(await runOf(0, 0)).toEqual({ code: 0, starts: 1, printed: [] }))
