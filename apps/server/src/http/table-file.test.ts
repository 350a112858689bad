import { aboutNothing } from '@linewarden/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import { by } from '../audit/audited.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { Downloads } from './downloads.ts'
import { issueLogged, listFile, pagesOf } from './table-file.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

const actor = { accountId: 'a', sessionId: 's', userName: 'anna', address: '', tenant: null } as unknown as Actor
const at = Date.UTC(2026, 0, 15, 0, 30)
const none = listFile(
  { Format: 'csv', Language: 'EN' },
  {
    ...{
      called: { zh: '表', en: 'list' },
      columns: [
        { zh: '时间', en: 'At' },
        { zh: '备注', en: 'Note' },
      ],
    },
    ...{ timeZone: 'Asia/Shanghai', now: at, pages: (_, onProgress) => pagesOf([], () => [], onProgress) },
  },
)
const entry = { ...by(actor, at, 'workOrder.export', null), subject: aboutNothing, after: { rows: 0 } }

test('a list is called by the minute of its project, which its first head names', async () => {
  expect(none.fileName).toBe('list-202601150830.csv')
  const pieces: Buffer[] = []
  for await (const piece of none.bytes(() => {})) pieces.push(Buffer.from(piece))
  expect(Buffer.concat(pieces).toString()).toBe('\uFEFF"At (Asia/Shanghai)","Note"\r\n')
})

test('every row goes into one page, in its order, and what is said of the progress ends with all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 650 }), async (all) => {
      const shown: number[] = []
      let last = { rows: 0, share: 1 }
      const pages = pagesOf(
        all,
        (some) => some.map((each) => ({ at: each, values: [], note: '' })),
        (progress) => {
          expect(progress.share).toBeLessThanOrEqual(1)
          last = progress
        },
      )
      for await (const page of pages) shown.push(...page.map((row) => row.at))
      expect([shown, last]).toEqual([all, { rows: all.length, share: 1 }])
    }),
    { numRuns: 60 },
  )
})

test('nobody gets a file that could not be written into the log, and it takes the place of no other', async () => {
  const downloads = new Downloads(() => at)
  const away = { general: db.database.general.withSchema('nowhere') }
  for (let each = 0; each < 3; each += 1)
    await expect(issueLogged({ downloads, database: away }, actor, none, entry)).rejects.toThrow()
  const { Ticket } = await issueLogged({ downloads, database: db.database }, actor, none, entry)
  expect(downloads.take(Ticket)?.file.fileName).toBe(none.fileName)
  const rows = await db.database.general.selectFrom('audit').select(['action', 'actor']).execute()
  expect(rows).toEqual([{ action: 'workOrder.export', actor: 'anna' }])
})
