import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { areas } from './areas.ts'

/** With this folder given, each test file notes there which functions it called and how long it took. */
const folder = process.env.MUTATION_REACH

if (folder) {
  const began = performance.now()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
  afterAll(async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const root = process.cwd()
    const reached = result.flatMap(({ url, functions }) => {
      const file = relative(root, url.replace(/^file:\/\//, '').replace(/\?.*$/, ''))
      if (!areas.some((area) => file.startsWith(area)) || file.endsWith('.test.ts')) return []
      return functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => `${file} ${functionName}`)
    })
    const test = relative(root, expect.getState().testPath ?? '')
    const note = { test, ms: Math.round(performance.now() - began), reached: [...new Set(reached)] }
    writeFileSync(join(folder, `${createHash('sha256').update(test).digest('hex').slice(0, 16)}.json`), JSON.stringify(note))
  })
}
