import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endProjectTurn, takeProjectTurn } from '../../store/control/project-turn.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { createStagger } from './stagger.ts'

// Servers of one database that close lines of one project.
let db: TestDatabase
let projects: readonly number[] = []
beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  const { rows } = await client.query<{ project_id: number }>(
    `insert into project (city_id, name, time_zone) select min(city_id), 'p' || n, 'UTC' from city, generate_series(1, 4) n group by n returning project_id`,
  )
  projects = rows.map(({ project_id }) => project_id)
  await client.end()
})
afterAll(() => db?.drop())

const project = (index: number) => projects[index] ?? 0
const server = () =>
  createStagger(() => performance.now(), {
    take: (projectId, staggerMs, turnId) => takeProjectTurn(db.database, projectId, staggerMs, turnId),
    end: (projectId, turnId) => endProjectTurn(db.database, projectId, turnId),
  })
const ago = (projectId: number, ms: number) =>
  db.database.general
    .updateTable('project_turn')
    .set({ turn_at: new Date(Date.now() - ms) })
    .where('project_id', '=', projectId)
    .execute()

test('of servers that take the turn of a project at once one has it, and of another project another', async () => {
  const servers = Array.from({ length: 12 }, server)
  const taken = await Promise.all(servers.map((each) => each.take(project(0), 1_000)))
  expect(taken.filter((each) => typeof each !== 'number')).toHaveLength(1)
  expect(typeof (await server().take(project(1), 1_000))).toBe('function')
})

test('while a turn is under way nobody else begins one, and after it not before the stagger is over', async () => {
  const [one, other] = [server(), server()]
  const turn = await one.take(project(2), 1_000)
  expect(await other.take(project(2), 1_000)).toBeGreaterThan(1_000)
  if (typeof turn === 'function') turn()
  const waited = () =>
    db.database.general
      .selectFrom('project_turn')
      .select('turn_at')
      .where('project_id', '=', project(2))
      .executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await waited()).turn_at.getTime()).toBeLessThan(Date.now() + 1_000))
  expect(await other.take(project(2), 60_000)).toBeGreaterThan(1_000)
  await ago(project(2), 60_001)
  expect(typeof (await other.take(project(2), 60_000))).toBe('function')
})

test('a server that is gone in its turn, and a clock that was set back, keep the others for no longer than a turn takes', async () => {
  await server().take(project(3), 1_000)
  await ago(project(3), -3_600_000)
  expect(typeof (await server().take(project(3), 1_000))).toBe('function')
})

test('while the database cannot be asked a server keeps the stagger by what it knows itself', async () => {
  let now = 0
  const away = createStagger(() => now, {
    take: () => Promise.reject(new Error('away')),
    end: () => Promise.reject(new Error('away')),
  })
  const turn = await away.take(1, 1_000)
  if (typeof turn === 'function') turn()
  now = 999
  expect(await away.take(1, 1_000)).toBe(1)
  now = 1_000
  expect(typeof (await away.take(1, 1_000))).toBe('function')
})
