import { compileLimits } from '@linewarden/rules/alarm'
import type { Stack } from './stack.ts'

const secondMs = 1_000
const cycles = 20

/**
 * Stores an overvoltage of phase A of line 1 of A-T1 that chattered an hour ago, with its readings: over its limit for two seconds and back
 * for seven, twenty times. Answers the number of its event.
 */
export async function storeChatter(stack: Stack): Promise<string> {
  const line = stack.server.plant.lineAt('A-T1', 1)
  if (!line) throw new Error('A-T1 has not been born')
  const { device, ratedCurrentA, reported } = line
  const { family, model, gateway } = device
  const limit = compileLimits({ family, model, ratedCurrentA, reported }).find(
    ({ alarm, point }) => alarm.key === 'voltage.over' && point === 'voltage.a',
  )
  if (!limit) throw new Error('A-T1 has no overvoltage')
  const from = Math.floor(Date.now() / secondMs) * secondMs - 3_600_000
  const readings = Array.from({ length: cycles * 9 + 30 }, (_, second) => ({
    at: new Date(from + second * secondMs),
    value: second < cycles * 9 && second % 9 < 2 ? limit.limit + 5 : 230,
  }))
  const db = await stack.server.database.connect()
  try {
    const { rows } = await db.query<{ event_id: string }>(
      `insert into event (kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
         raised_at, raised_again_at, returned_at, raises, occurrences, stored_at, announced)
       values ('alarm', 'high', 'voltage.over', '过压报警', 'Overvoltage', 'voltage.a', $1, $2, 'V', 'returned', $3, $4, $5, $6, $7, $8, $9, $9,
         now(), 1) returning event_id`,
      [
        ...[limit.limit + 5, limit.limit, gateway.project.id, gateway.id, line.id],
        ...[at(1), at((cycles - 1) * 9 + 1), at((cycles - 1) * 9 + 7), cycles],
      ],
    )
    const eventId = rows[0]?.event_id ?? ''
    for (let cycle = 0; cycle < cycles; cycle++)
      await db.query(
        `insert into event_transition (event_id, at, act, from_state, to_state)
         values ($1, $2, 'raise', $4, 'active'), ($1, $3, 'return', 'active', 'returned')`,
        [eventId, at(cycle * 9 + 1), at(cycle * 9 + 7), cycle === 0 ? null : 'returned'],
      )
    await db.query(
      `insert into reading (line_id, at, received_at, quality, v${limit.slot})
       select $1, at, at, 0, value from unnest($2::timestamptz[], $3::float8[]) as given (at, value) on conflict do nothing`,
      [line.id, readings.map((each) => each.at), readings.map(({ value }) => value)],
    )
    return eventId
  } finally {
    await db.end()
  }

  function at(second: number): Date {
    return new Date(from + second * secondMs)
  }
}
