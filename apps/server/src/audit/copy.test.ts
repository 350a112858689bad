import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, open as openFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aboutNothing } from '@linewarden/contract'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendAudit } from '../store/audit/append.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { AuditCopy } from './copy.ts'

let db: TestDatabase
let base: string
let folder: string
let now: number
let logged: string[]
const open: AuditCopy[] = []

beforeEach(async () => {
  db = await testDatabase()
  base = await mkdtemp(join(tmpdir(), 'linewarden-copy-'))
  folder = join(base, 'copy')
  now = Date.parse('2026-11-22T23:59:00Z')
  logged = []
})
afterEach(async () => {
  for (const copy of open.splice(0)) await copy.close()
  await db.drop()
  await rm(base, { recursive: true })
})

function start(): AuditCopy {
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const copy = new AuditCopy({ folder, database: db.database, clock: () => now, log })
  open.push(copy)
  return copy
}

async function happen(...targets: string[]): Promise<void> {
  for (const target of targets)
    await appendAudit(db.database.control, {
      at: now,
      actor: '13900000001',
      address: '::1',
      action: 'line.trip',
      subject: { kind: 'line', id: 'D/1', gatewayId: 7 },
      target,
      after: { b: 1, a: [null, '跳闸\n'] },
      outcome: 'done',
    })
}

const filesOf = async () => (await readdir(folder)).sort()
async function targetsOf(...names: string[]): Promise<string[]> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).target)
}

async function rewrite(sql: string): Promise<void> {
  const client = await db.database.connect()
  await client.query(`alter table audit disable trigger all; ${sql}`)
  await client.end()
}

test('entries are copied in order with the hashes of their chain, one file a day, for nobody else to read', async () => {
  const copy = start()
  await happen('a', 'b')
  await copy.pass()
  now += 2 * 60_000
  await happen('c')
  await copy.pass()

  expect(await filesOf()).toEqual(['audit-2026-11-22.jsonl', 'audit-2026-11-23.jsonl'])
  const [first, second] = (await readFile(join(folder, 'audit-2026-11-22.jsonl'), 'utf8')).split('\n')
  expect(JSON.parse(first ?? '')).toEqual({
    sequence: 1,
    at: '2026-11-22T23:59:00.000Z',
    actor: '13900000001',
    address: '::1',
    action: 'line.trip',
    target: 'a',
    after: { a: [null, '跳闸\n'], b: 1 },
    outcome: 'done',
    chain: 2,
    subject: { kind: 'line', id: 'D/1' },
    gateway: 7,
    claimed: false,
    previousHash: '0'.repeat(64),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(JSON.parse(second ?? '').previousHash).toBe(JSON.parse(first ?? '').hash)
  expect(await targetsOf('audit-2026-11-23.jsonl')).toEqual(['c'])
  expect((await stat(join(folder, 'audit-2026-11-23.jsonl'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await copy.check()).toEqual({ Entries: 3, First: '1', Last: '3', DepartsAt: null, BrokenAt: null })
})

test('an entry of a transaction that is not committed is not there', async () => {
  const copy = start()
  await happen('a')
  await db.database.control
    .transaction()
    .execute(async (trx) => {
      await appendAudit(trx, {
        at: now,
        actor: 'x',
        address: '',
        action: 'line.trip',
        subject: aboutNothing,
        target: 'never',
        outcome: 'done',
      })
      await copy.pass()
      throw new Error('rolled back')
    })
    .catch(() => {})
  await happen('b')
  await copy.pass()
  expect(await targetsOf('audit-2026-11-22.jsonl')).toEqual(['a', 'b'])
})

test('what happened while it was away is made up for, thousands of entries too, and nothing is written twice', async () => {
  await happen('a')
  const first = start()
  await first.pass()
  await first.close()
  await happen(...Array.from({ length: 1_200 }, (_, i) => `n${i}`))
  const second = start()
  await second.pass()
  const targets = await targetsOf('audit-2026-11-22.jsonl')
  expect([targets.length, targets[0], targets.at(-1)]).toEqual([1_201, 'a', 'n1199'])
  expect(await second.check()).toMatchObject({ Entries: 1_201, DepartsAt: null, BrokenAt: null })
})

test('stopping copies what happened last', async () => {
  const copy = start()
  await copy.pass()
  await happen('last')
  await copy.close()
  expect(await targetsOf('audit-2026-11-22.jsonl')).toEqual(['last'])
})

test('a line that a power failure cut off is written again below', async () => {
  const first = start()
  await happen('a', 'b')
  await first.pass()
  await first.close()
  const file = join(folder, 'audit-2026-11-22.jsonl')
  await truncate(file, (await stat(file)).size - 20)
  await happen('c')
  const second = start()
  await second.pass()
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(4)
  expect(await second.check()).toEqual({ Entries: 3, First: '1', Last: '3', DepartsAt: null, BrokenAt: null })
})

test('a clock that was set back goes on with the newest file', async () => {
  const copy = start()
  await happen('a')
  await copy.pass()
  now -= 40 * 86_400_000
  await happen('b')
  await copy.pass()
  expect(await filesOf()).toEqual(['audit-2026-11-22.jsonl'])
})

test('a folder that cannot be written is logged once, counted and told; afterwards nothing is missing', async () => {
  await writeFile(folder, 'a file stands where the folder should be')
  const copy = start()
  await happen('a')
  await copy.pass()
  await copy.pass()
  expect(logged).toEqual(['the audit trail is not copied; tried again every second'])
  expect(copy.exposures()).toMatchObject([{ Kind: 'auditCopy', Said: { en: expect.stringContaining(folder) } }])
  const metrics = await Promise.all(copy.metrics.map((metric) => metric.get()))
  const of = (name: string) => metrics.find((metric) => metric.name === `linewarden_audit_copy_${name}`)?.values[0]?.value
  expect(of('failures_total')).toBeGreaterThanOrEqual(2)
  expect(of('waiting')).toBe(1)
  expect(await copy.check()).toMatchObject({ Entries: 0, BrokenAt: expect.stringContaining('ENOTDIR') })

  await rm(folder)
  await happen('b')
  await copy.pass()
  expect(copy.exposures()).toEqual([])
  expect(await targetsOf('audit-2026-11-22.jsonl')).toEqual(['a', 'b'])
})

test('a chain that somebody wrote anew in the database fits itself and not the copy', async () => {
  const copy = start()
  await happen('a', 'b', 'c')
  await copy.pass()
  await copy.looked()
  await rewrite('delete from audit where audit_id > 1')
  await happen('forged', 'c')
  expect(await copy.check()).toEqual({ Entries: 1, First: '1', Last: '1', DepartsAt: '2', BrokenAt: null })
  await copy.pass()
  expect(copy.exposures()).toMatchObject([{ Kind: 'auditCopy', Said: { en: expect.stringContaining('entry 3') } }])
  expect(logged).toEqual(['the audit trail in the database departs from its copy'])
})

test('entries that were cut off the end of the database are told, and later ones are copied all the same', async () => {
  const copy = start()
  await happen('a', 'b')
  await copy.pass()
  await copy.looked()
  await rewrite('delete from audit where audit_id = 2')
  await copy.pass()
  expect(copy.exposures()).toHaveLength(1)
  await happen('instead', 'c')
  await copy.pass()
  expect(await targetsOf('audit-2026-11-22.jsonl')).toEqual(['a', 'b', 'c'])
  expect((await copy.check())?.DepartsAt).toBe('2')
})

test('what was rewritten before a restart is told after it too, though newer entries fit', async () => {
  const first = start()
  await happen('a', 'b', 'c')
  await first.pass()
  await first.close()
  await rewrite('delete from audit where audit_id > 1')
  await happen('forged', 'c', 'd')
  const second = start()
  await second.pass()
  await second.looked()
  await second.close()
  const third = start()
  await third.pass()
  await third.looked()
  expect(third.exposures()).toMatchObject([{ Kind: 'auditCopy', Said: { en: expect.stringContaining('entry 2') } }])
})

test('a copy that somebody changed, or took an entry out of, is found with its line', async () => {
  const copy = start()
  await happen('a', 'b', 'c')
  await copy.pass()
  const file = join(folder, 'audit-2026-11-22.jsonl')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"target":"b"', '"target":"x"'))
  expect(await copy.check()).toMatchObject({ Entries: 1, BrokenAt: 'audit-2026-11-22.jsonl:2' })
  await writeFile(file, text.replace(/.*"target":"b".*\n/, ''))
  expect(await copy.check()).toMatchObject({ Entries: 1, DepartsAt: null, BrokenAt: 'audit-2026-11-22.jsonl:2' })
  await writeFile(file, text)
  expect(await copy.check()).toMatchObject({ Entries: 3, BrokenAt: null })
})

test('a damaged copy is told after a start, and hides nothing that was rewritten below it', async () => {
  const first = start()
  await happen('a', 'b', 'c')
  await first.pass()
  await first.close()
  const file = join(folder, 'audit-2026-11-22.jsonl')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"target":"b"', '"target":"x"'))
  const second = start()
  await second.pass()
  await second.looked()
  const damage = { Kind: 'auditCopy', Said: { en: expect.stringContaining('damaged at audit-2026-11-22.jsonl:2') } }
  expect(second.exposures()).toMatchObject([damage])
  await happen('d', 'e')
  await second.pass()
  await second.close()
  await rewrite("update audit set hash = repeat('0', 64) where audit_id = 4")
  const third = start()
  await third.pass()
  await third.looked()
  expect(third.exposures()).toMatchObject([{ Said: { en: expect.stringContaining('entry 4') } }, damage])
  expect(await third.check()).toMatchObject({ Entries: 1, DepartsAt: '4', BrokenAt: 'audit-2026-11-22.jsonl:2' })
})

test('what could not be looked through is looked through a minute later', async () => {
  const first = start()
  await happen('a', 'b', 'c')
  await first.pass()
  await first.close()
  await rewrite("update audit set hash = repeat('0', 64) where audit_id = 2")
  // The newest file is enough to go on writing; an older one cannot be read.
  await mkdir(join(folder, 'audit-2026-11-21.jsonl'))
  const second = start()
  await second.pass()
  await second.looked()
  expect([second.exposures(), logged]).toEqual([[], ['the audit trail is not held against its copy; tried again every minute']])
  expect(await second.check()).toMatchObject({ Entries: 0, BrokenAt: expect.stringContaining('EISDIR') })
  await rm(join(folder, 'audit-2026-11-21.jsonl'), { recursive: true })
  now += 30_000
  await second.pass()
  await second.looked()
  expect(second.exposures()).toEqual([])
  now += 30_000
  await second.pass()
  await second.looked()
  expect(second.exposures()).toMatchObject([{ Said: { en: expect.stringContaining('entry 2') } }])
})

test('a text with the line and paragraph separators of Unicode breaks no line of the copy', async () => {
  const copy = start()
  await happen('a', 'stamp\u2028and\u2029date\u0085\r', 'c')
  await copy.pass()
  expect(await copy.check()).toEqual({ Entries: 3, First: '1', Last: '3', DepartsAt: null, BrokenAt: null })
})

test('a folder that neither takes nor refuses is told after half a minute, and the check waits for it no more', async () => {
  await mkdir(folder)
  const file = join(folder, 'audit-2026-11-22.jsonl')
  // Whoever opens a pipe to read waits until somebody writes.
  execFileSync('mkfifo', [file])
  await happen('a')
  const copy = start()
  const hanging = copy.pass()
  now += 31_000
  void copy.pass()
  expect(copy.exposures()).toMatchObject([{ Kind: 'auditCopy', Said: { en: expect.stringContaining('no answer for 30 s') } }])
  expect(logged).toEqual(['the audit trail is not copied; tried again every second'])
  expect(await copy.check()).toMatchObject({ Entries: 0, BrokenAt: 'no answer for 30 s' })

  const pipe = await openFile(file, 'r+')
  await rm(file)
  await hanging
  await pipe.close()
  await copy.pass()
  expect(copy.exposures()).toEqual([])
  expect(await targetsOf('audit-2026-11-22.jsonl')).toEqual(['a'])
})

test('other files of the folder are left alone, and entries that were written twice fit', async () => {
  await mkdir(folder)
  await writeFile(join(folder, 'notes.txt'), 'of somebody else')
  const copy = start()
  await happen('a', 'b')
  await copy.pass()
  const file = join(folder, 'audit-2026-11-22.jsonl')
  await appendFile(file, await readFile(file))
  await happen('c')
  await copy.pass()
  expect(await copy.check()).toEqual({ Entries: 3, First: '1', Last: '3', DepartsAt: null, BrokenAt: null })
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('of somebody else')
})
