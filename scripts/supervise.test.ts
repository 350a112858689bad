import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
async function runOf(...ends: readonly (number | 'SIGABRT')[]) {
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
  const said: string[] = []
  const how = { options: { stdio: 'ignore' }, signals: [], say: (line: string) => said.push(line), waitMs: 1 } as const
  const code = await supervise(process.execPath, ['-e', program], how)
  return { code, starts: readFileSync(book, 'utf8').length, said }
}

test('a server that cannot trust itself any more, or that the system has ended, is started again', async () => {
  const { code, starts, said } = await runOf(startMeAgain, 'SIGABRT', 134, 0)
  expect([code, starts, said.length]).toEqual([0, 4, 3])
})

test('one that could not start stays down', async () => expect(await runOf(1, 0)).toEqual({ code: 1, starts: 1, said: [] }))
test('one that ended in order stays down', async () => expect(await runOf(0, 0)).toEqual({ code: 0, starts: 1, said: [] }))
