import { runEnd } from '@linewarden/rules/automation'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testLines } from '../../areas/control/test-lines.ts'
import { clockOf } from '../jobs/due-work.ts'
import { endExecutions, stopExecution } from './execution.ts'
import { scenesOfOperations } from './scene-run.ts'

// Runs end together, each by what became of its own lines.
const at = Date.UTC(2026, 10, 24, 8)
const text = { zh: '改', en: 'changed' }
const whenRevoked = { timer: { key: 'timerChanged', text }, linkage: { key: 'linkageChanged', text } }
let house: Awaited<ReturnType<typeof testLines>>

beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  await sql`truncate command, automation_run, operation_run, due_work cascade`.execute(house.database.general)
})

interface Line {
  readonly state: 'waiting' | 'ordered' | 'refused' | 'skipped'
  /** A command of it has left. */
  readonly left?: boolean
}

/** A run that goes on, with lines that stand so. */
async function going(source: 'timer' | 'scene', action: 'trip' | 'close', lines: readonly Line[], isRevoked = false) {
  const { general } = house.database
  const [id, operationId] = [crypto.randomUUID(), crypto.randomUUID()]
  const { project } = house.line(1).device.gateway
  const sourceId = Math.floor(Math.random() * 1e9)
  await sql`insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, state, actor)
    values (${id}, ${source}, ${sourceId}, ${project.id}, 't', ${new Date(at)}, 'running', 'admin')`.execute(general)
  await sql`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, automation_run_id, revoked_at)
    values (${operationId}, ${action}, 'admin', 't', 1000, ${new Date(at)}, ${id}, ${isRevoked ? new Date(at) : null})`.execute(
    general,
  )
  for (const [position, { state, left = false }] of lines.entries()) {
    const commandId = crypto.randomUUID()
    const { id: lineId } = house.line(position + 1)
    await sql`insert into operation_run_line (run_id, position, line_id, command_id, state)
      values (${operationId}, ${position}, ${lineId}, ${commandId}, ${state})`.execute(general)
    if (left)
      await sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, run_id)
        values (${commandId}, ${lineId}, ${action}, 'sent', 'admin', 'timer', 't', 1, ${new Date(at)}, ${new Date(at)}, ${operationId})`.execute(
        general,
      )
  }
  await sql`insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
    values (${id}, 'automationRun', ${id}, ${new Date(at)}, gen_random_uuid(), now() + interval '1 minute', 1)`.execute(general)
  return { id, operationId }
}

const end = (ids: readonly string[], now = at + 1_000) =>
  endExecutions(house.database, ids, { at: now, clock: clockOf(() => now), whenRevoked, stateOf: runEnd })

async function stands(id: string) {
  const { rows } = await sql<{ state: string; ended: Date | null; lines: unknown; stopped: string | null; work: Date | null }>`
    select r.state, r.ended_at as ended, o.stopped_by as stopped, w.ended_at as work,
      (select json_agg(json_build_array(l.state, l.refusal->>'key') order by position) from operation_run_line l where l.run_id = o.run_id) as lines
    from automation_run r join operation_run o on o.automation_run_id = r.run_id join due_work w on w.work_id = r.run_id
    where r.run_id = ${id}`.execute(house.database.general)
  const [row] = rows
  return row && [row.state, row.lines, row.stopped, row.ended?.getTime() ?? null, row.work?.getTime() ?? null]
}

test('runs that end together end each by its own lines: ordered, missed, stopped, or changed meanwhile', async () => {
  const ordered = await going('timer', 'trip', [{ state: 'ordered' }])
  const left = await going('timer', 'trip', [{ state: 'waiting', left: true }, { state: 'waiting' }])
  const stopped = await going('timer', 'close', [{ state: 'ordered' }, { state: 'waiting' }])
  const changed = await going('timer', 'close', [{ state: 'waiting' }], true)
  const skipped = await going('timer', 'trip', [{ state: 'skipped' }])
  const audit = { at, actor: 'admin', address: '', tenant: null, action: 'automationRun.stop', outcome: 'done' } as const
  const subject = { kind: 'automationRun', id: stopped.id } as const
  expect(await stopExecution(house.database, stopped.id, 'admin', { ...audit, subject, target: 't' })).toBe(true)
  const other = await going('timer', 'trip', [{ state: 'waiting' }])
  await end([ordered, left, stopped, changed, skipped].map(({ id }) => id))
  const ended = at + 1_000
  expect(await stands(ordered.id)).toEqual(['done', [['ordered', null]], null, ended, ended])
  expect(await stands(left.id)).toEqual([
    'partly',
    [
      ['ordered', null],
      ['missed', null],
    ],
    null,
    ended,
    ended,
  ])
  expect(await stands(stopped.id)).toEqual([
    'stopped',
    [
      ['ordered', null],
      ['stopped', null],
    ],
    'admin',
    ended,
    ended,
  ])
  expect(await stands(changed.id)).toEqual(['missed', [['missed', 'timerChanged']], null, ended, ended])
  expect(await stands(skipped.id)).toEqual(['skipped', [['skipped', null]], null, ended, ended])
  expect(await stands(other.id)).toEqual(['running', [['waiting', null]], null, null, null])
})

test('a run ends once: ended again, by whichever server, it stays as it ended', async () => {
  const run = await going('timer', 'trip', [{ state: 'ordered' }])
  await Promise.all([end([run.id]), end([run.id, run.id])])
  const before = await stands(run.id)
  await end([run.id], at + 9_000)
  expect(await stands(run.id)).toEqual(before)
})

test('servers that end the same runs in other orders never wait for each other in a circle', async () => {
  for (let round = 0; round < 5; round++) {
    const runs = await Promise.all(
      [1, 2, 3, 4, 5].map(() => going('timer', 'trip', [{ state: 'waiting' }, { state: 'ordered' }])),
    )
    const ids = runs.map(({ id }) => id)
    await Promise.all([end(ids), end(ids.toReversed())])
    for (const id of ids) expect((await stands(id))?.[0]).toBe('partly')
  }
})

test('only what a scene operates is followed as a run of a scene', async () => {
  const [timer, scene] = [await going('timer', 'trip', []), await going('scene', 'trip', [])]
  const found = await scenesOfOperations(house.database, [timer.operationId, scene.operationId])
  expect([...found]).toEqual([[scene.operationId, scene.id]])
})

test('a run that runs a scene ends what that operates, and itself once the scene is over', async () => {
  const { general } = house.database
  const [outer, waits] = [await going('timer', 'trip', []), await going('timer', 'trip', [])]
  const [over, open] = [
    await going('scene', 'close', [{ state: 'waiting' }]),
    await going('scene', 'trip', [{ state: 'waiting', left: true }]),
  ]
  for (const [scene, of] of [
    [over, outer],
    [open, waits],
  ] as const) {
    await sql`update automation_run set parent_run_id = ${of.id} where run_id = ${scene.id}`.execute(general)
    await sql`update operation_run set outer_run_id = ${of.id} where run_id = ${scene.operationId}`.execute(general)
  }
  await end([outer.id, waits.id])
  expect((await stands(over.id))?.slice(0, 2)).toEqual(['missed', [['missed', null]]])
  expect((await stands(outer.id))?.[0]).toBe('missed')
  // Of the other the equipment has not reported yet.
  expect((await stands(open.id))?.slice(0, 2)).toEqual(['running', [['ordered', null]]])
  expect((await stands(waits.id))?.[0]).toBe('running')
})
