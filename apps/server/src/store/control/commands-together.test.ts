import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testLines } from '../../areas/control/test-lines.ts'
import type { StoredCommand } from './command.ts'
import { authorise, commandById, saveLives } from './command.ts'
import type { TripOrder } from './commands-together.ts'
import { authoriseTrips, commandsById, saveEachLife } from './commands-together.ts'

// Trips and steps that are stored together are stored as each would be by itself.
const at = Date.UTC(2026, 10, 24, 8)
let house: Awaited<ReturnType<typeof testLines>>

beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())

function trip(lineNo: number, parts: Partial<TripOrder['command']> = {}): TripOrder {
  const commandId = crypto.randomUUID()
  const { id } = house.line(lineNo)
  return {
    command: {
      ...{ commandId, lineId: id, action: 'trip', accountId: house.actor.accountId, actor: 'admin', source: 'timer' },
      ...{ reason: { zh: '定时', en: 'Timer' }, issuedAt: at, deadline: at + 5_000, operationId: null, ...parts },
    },
    audit: {
      ...{ at, actor: 'admin', address: '', tenant: null, action: 'line.trip', subject: { kind: 'account', id: commandId } },
      ...{ outcome: 'authorised' },
    },
  }
}
const fenceOf = async (lineNo: number): Promise<bigint> => {
  const { rows } = await sql<{ fence: string }>`select fence from command_fence where line_id = ${house.line(lineNo).id}`.execute(
    house.database.general,
  )
  return BigInt(rows[0]?.fence ?? 0)
}
const logged = async (orders: readonly TripOrder[]) => {
  const ids = orders.map(({ command }) => command.commandId)
  const { rows } = await sql<{
    subject_id: string
  }>`select subject_id from audit where subject_id = any(${ids}) order by audit_id`.execute(house.database.general)
  return rows.map(({ subject_id }) => subject_id)
}

test('trips that are stored together have each a fence of its own, behind all before it, a first step and a line in the log', async () => {
  const before = await fenceOf(1)
  const orders = [trip(1), trip(2), trip(1), trip(3)]
  const answers = await authoriseTrips(house.database, orders)
  expect(answers.map(({ is }) => is)).toEqual(['new', 'new', 'new', 'new'])
  const commands = answers.flatMap((each) => ('command' in each ? each.command : []))
  expect(commands.map(({ commandId }) => commandId)).toEqual(orders.map(({ command }) => command.commandId))
  expect([commands[0]?.fence, commands[2]?.fence]).toEqual([Number(before) + 1, Number(before) + 2])
  expect(await fenceOf(1)).toBe(before + 2n)
  for (const command of commands) expect(await commandById(house.database.control, command.commandId)).toEqual(command)
  expect(await logged(orders)).toEqual(orders.map(({ command }) => command.commandId))
  const { rows } = await sql<{ state: string }>`select state from command_step where step_no = 1
    and command_id = any(${orders.map(({ command }) => command.commandId)}::uuid[])`.execute(house.database.general)
  expect(rows.map(({ state }) => state)).toEqual(['authorised', 'authorised', 'authorised', 'authorised'])
})

test('one that is known is answered as it stands, and is neither stored nor written down again', async () => {
  const known = trip(1)
  await authorise(house.database, known.command, known.audit)
  const other = trip(2)
  const answers = await authoriseTrips(house.database, [known, other])
  expect(answers.map(({ is }) => is)).toEqual(['known', 'new'])
  expect(await logged([known, other])).toEqual([known.command.commandId, other.command.commandId])
})

test('of trips of which one cannot be stored none is', async () => {
  const orders = [trip(1), trip(2, { accountId: crypto.randomUUID() })]
  await expect(authoriseTrips(house.database, orders)).rejects.toMatchObject({ code: '23503' })
  const ids = orders.map(({ command }) => command.commandId)
  expect([[...(await commandsById(house.database.control, ids))], await logged(orders)]).toEqual([[], []])
})

test('servers that trip the same lines in other orders never wait for each other in a circle', async () => {
  const round = async () => {
    const [forth, back] = [[1, 2, 3, 4].map((no) => trip(no)), [4, 3, 2, 1].map((no) => trip(no))]
    const answers = await Promise.all([authoriseTrips(house.database, forth), authoriseTrips(house.database, back)])
    return answers.flat().map(({ is }) => is)
  }
  for (let i = 0; i < 10; i++) expect(new Set(await round())).toEqual(new Set(['new']))
})

const sentOf = (command: StoredCommand): StoredCommand => ({ ...command, state: 'sent', sentAt: at + 10 })
const step = (before: StoredCommand, life = sentOf(before)) => ({ before, life, fact: { kind: 'sent', at: at + 10 } as const })

test('steps of several commands are each written over what they were made of; what stands otherwise is answered, and stays', async () => {
  const answers = await authoriseTrips(house.database, [trip(1), trip(2), trip(3)])
  const commands = answers.flatMap((each) => ('command' in each ? each.command : []))
  const [first, second, third] = commands as [StoredCommand, StoredCommand, StoredCommand]
  // Another server has written the second meanwhile.
  const theirs = { ...second, state: 'expired', outcome: 'deadline_passed', endedAt: at + 9 } as const
  await saveLives(house.database, [{ before: second, life: theirs, fact: { kind: 'tick', at: at + 9 } }])
  const otherwise = await saveEachLife(house.database, [step(first), step(second), step(third)])
  expect(otherwise).toEqual([null, theirs, null])
  const stand = await commandsById(
    house.database.control,
    commands.map(({ commandId }) => commandId),
  )
  expect(commands.map(({ commandId }) => stand.get(commandId))).toEqual([sentOf(first), theirs, sentOf(third)])
  const { rows } = await sql<{ step_no: number; state: string }>`select step_no, state from command_step
    where command_id = ${third.commandId} order by step_no`.execute(house.database.general)
  expect(rows).toEqual([
    { step_no: 1, state: 'authorised' },
    { step_no: 2, state: 'sent' },
  ])
})
