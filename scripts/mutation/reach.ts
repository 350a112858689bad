import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Workshop } from './workshop.ts'

/** What one test file calls, as it was when it was written so. */
interface Note {
  readonly test: string
  readonly ms: number
  readonly reached: readonly string[]
}

export interface Reach {
  /** The tests that call this function of this file, those beside it first, then the quickest. */
  testsOf(file: string, within: string): readonly { readonly test: string; readonly ms: number }[]
  /** Tests that fail as they are: they notice nothing. */
  readonly unsound: readonly string[]
}

const testFolders = ['packages/rules/src', 'apps/server/src', 'tests/stack']
const portion = 12
const limitMs = 900_000

/**
 * Which test reaches which function. Each test file runs once with nothing broken, and is known from then on until its text changes, or what it
 * reached stands elsewhere: what else it is run against meanwhile matters less than the time that another run of all tests would take.
 * `stillOn` hears how far it is, and throws when it is to end.
 */
export async function learnReach(shop: Workshop, book: string, stillOn: (line: string) => void): Promise<Reach> {
  const stands = (reached: string) => existsSync(join(shop.folder, reached.slice(0, reached.indexOf(' '))))
  const known = new Map<string, Note>(Object.entries(read(book)).filter(([, { reached }]) => reached.every(stands)))
  const hashOf = (test: string) =>
    createHash('sha256')
      .update(test)
      .update(readFileSync(join(shop.folder, test)))
      .digest('hex')
  const tests = testFolders.flatMap((folder) =>
    readdirSync(join(shop.folder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  const wanted = new Map(tests.map((test) => [test, hashOf(test)]))
  const unknown = tests.filter((test) => !known.has(wanted.get(test) ?? ''))
  const unsound: string[] = []
  for (let from = 0; from < unknown.length; from += portion) {
    const some = unknown.slice(from, from + portion)
    const folder = mkdtempSync(join(tmpdir(), 'linewarden-reach-'))
    const { verdict, failed: atFirst } = await shop.test(some, { limitMs, bail: false, workers: 2, reachFolder: folder })
    if (verdict === 'timeout') throw new Error(`these tests did not end: ${some.join(' ')}`)
    // What fails because the machine is busy passes alone.
    const failed = atFirst.length === 0 ? [] : await stillFailing(shop, atFirst, folder)
    stillOn(`${Math.min(from + portion, unknown.length)} of ${unknown.length} test files say what they reach`)
    unsound.push(...failed)
    for (const name of readdirSync(folder)) {
      const note: Note = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      if (!failed.includes(note.test)) known.set(wanted.get(note.test) ?? '', note)
    }
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(dirname(book), { recursive: true })
    writeFileSync(book, JSON.stringify(Object.fromEntries(known)))
  }
  const notes = tests.flatMap((test) => known.get(wanted.get(test) ?? '') ?? [])
  const distance = (test: string, file: string) => {
    if (basename(test) === basename(file).replace('.ts', '.test.ts') && dirname(test) === dirname(file)) return 0
    return dirname(test) === dirname(file) ? 1 : 2
  }
  return {
    unsound,
    testsOf: (file, within) =>
      notes
        .filter(({ reached }) => reached.includes(`${file} ${within}`))
        .sort((a, b) => distance(a.test, file) - distance(b.test, file) || a.ms - b.ms),
  }
}

async function stillFailing(shop: Workshop, tests: readonly string[], reachFolder: string): Promise<readonly string[]> {
  const { verdict, failed } = await shop.test(tests, { limitMs, bail: false, reachFolder })
  return verdict === 'timeout' ? tests : failed
}

function read(path: string): Record<string, Note> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
