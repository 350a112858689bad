import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '../../store/core/test-database.ts'
import { startBringingOver } from './bring-over.ts'

test('what the database refuses at the start is brought over by a later try, which the log promises', async () => {
  const db = await testDatabase()
  const owner = await db.database.connect()
  await owner.query(`insert into audit_bring_over (below) values (1); alter table audit_bring_over rename to taken_away`)
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const bringing = startBringingOver({ database: db.database, clock: () => Date.parse('2026-11-23T00:00:00Z'), log })
  let isDone = false
  void bringing.done.then(() => {
    isDone = true
  })
  try {
    await bringing.tick()
    expect(isDone).toBe(false)
    expect(logged).toEqual(['the log is not brought over; tried again every minute'])

    await owner.query('alter table taken_away rename to audit_bring_over')
    await bringing.tick()
    await bringing.done
    const { rows } = await owner.query(`select action from audit`)
    expect(rows).toEqual([{ action: 'audit.subjects' }])
  } finally {
    await bringing.close()
    await owner.end()
    await db.drop()
  }
})
