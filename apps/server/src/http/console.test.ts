import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountConsole } from './console.ts'

let folder: string
let isPage: Awaited<ReturnType<typeof mountConsole>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-console-'))
  await writeFile(join(folder, 'index.html'), '')
  isPage = await mountConsole(fastify(), folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each([
  [true, '/devmon/realtime', '*/*'],
  [true, '/no/such/place', undefined],
  [true, '/foo.bar', browser],
  [true, '/bigScreen/detail/BJ01.T1', browser],
  [false, '/assets/gone-4711.js', '*/*'],
  [false, '/favicon.png', 'image/avif,image/webp,*/*'],
  [false, '/foo.bar', undefined],
  [false, '/api/v1/nothing', browser],
])('%s: the console answers %s to whoever takes %s', (is, path, accept) => expect(isPage(path, accept)).toBe(is))
