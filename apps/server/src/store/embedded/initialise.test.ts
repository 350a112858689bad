import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { StartRefusal } from '../../lib/start-refusal.ts'
import { children, endAll, kill, newFolder, processesIn, retrying, rows, start, startOwner } from './test-embedded.ts'

afterEach(endAll)

describe('creating the database', () => {
  it('begins anew when the first start was killed half-way', async () => {
    const dataDir = await newFolder()
    const owner = startOwner(dataDir).catch(() => 'killed')
    await vi.waitFor(async () => {
      const half = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new'))
      expect(await readdir(join(dataDir, half ?? 'none'))).toContain('base')
    }, retrying)
    for (const child of children) await kill(child)
    expect(await owner).toBe('killed')
    expect(await rows(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([])
  })

  // In a container the process number is the same at every start.
  it('begins anew when the killed start had our own process number', async () => {
    const dataDir = await newFolder()
    await mkdir(join(dataDir, `postgres.new-${process.pid}`, 'base'), { recursive: true })
    expect(await rows(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('happens once when two servers start at once; one of them runs', async () => {
    const dataDir = await newFolder()
    const both = await Promise.allSettled([startOwner(dataDir), startOwner(dataDir)])
    const running = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([
      expect.stringContaining('in_use: '),
    ])
    expect(running).toHaveLength(1)
    expect(await rows(running[0]!, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each([
    ['a file stands in its place', 'not_writable', async (dataDir: string) => writeFile(dataDir, '')],
    ['it cannot be made', 'not_writable', async () => '/dev/null/data'],
    [
      'other files are where the database belongs',
      'not_a_database',
      async (dataDir: string) => {
        await mkdir(join(dataDir, 'postgres'), { recursive: true })
        await writeFile(join(dataDir, 'postgres', 'diary.txt'), 'mine')
      },
    ],
  ])('is refused in both languages when %s', async (_, code, prepare) => {
    const dataDir = join(await newFolder(), 'data')
    const given = (await prepare(dataDir)) ?? dataDir
    const refusal = await start(given).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartRefusal)
    expect(refusal).toMatchObject({ code, readable: expect.stringMatching(/LINEWARDEN_DATA[\s\S]*\n.*LINEWARDEN_DATA.*目录/) })
    expect(await processesIn(dataDir)).toEqual([])
  })
})
