import { Refusal } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import type { Order } from './gate.ts'
import { createReclosures } from './reclosures.ts'
import { createStagger } from './stagger.ts'
import { testLines } from './test-lines.ts'

// The gate only notes what comes to it: what it lets through is its own affair. Where a line must not close, a witness in the other
// project that opened later says that its moment has passed.
let house: Awaited<ReturnType<typeof testLines>>
let hub: Hub
let reclosures: Awaited<ReturnType<typeof createReclosures>>
let now: number
/** How often anybody has asked for the time: while the house is busy, only ticks do. */
let clockReads: number
let closed: PlantLine[]
/** The time that closes keep their distance by; it stands until a test moves it. */
let monotonicMs: number
let errors: unknown[]
let stagger: ReturnType<typeof createStagger>
/** What the gate does once it was asked, and what happens while rights are read. */
let gate: (order: Order) => Promise<void>
let rights: () => void
/** Whether whoever set it still sees the line, and what orders left unconfirmed. */
let sees: boolean
let unconfirmed: ReadonlySet<string>

beforeEach(async () => {
  house = await testLines()
  hub = new Hub((error) => {
    throw error
  })
  now = Date.UTC(2026, 0, 15, 8, 30)
  clockReads = 0
  closed = []
  errors = []
  gate = async () => {}
  rights = () => {}
  sees = true
  unconfirmed = new Set()
  monotonicMs = 0
  stagger = createStagger(() => monotonicMs)
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  reclosures = await createReclosures({
    ...{ database: house.database, plant: house.plant, hub, log },
    gate: {
      async operate(order) {
        await gate(order)
        closed.push(order.line)
        return {} as never
      },
      redeemGrant: async () => {},
    },
    stagger,
    runner: new Runner({ database: house.database, log }),
    unconfirmed: () => unconfirmed,
    actorNow: async () => {
      rights()
      return { ...house.actor, seesGateway: () => sees }
    },
    clock: () => {
      clockReads += 1
      return now
    },
  })
})
afterEach(async () => {
  await reclosures?.close()
  await house?.drop()
})

const enable = (line: PlantLine, Enabled = true, DelaysS = [10, 60]) =>
  reclosures.set(house.actor, line, {
    ControllerID: line.device.controllerId,
    LineNo: line.lineNo,
    Enabled,
    DelaysS,
    Version: reclosures.of(line).Version,
  })

/** A commit in which the line reports its position, its trip cause, or both. */
function reports(
  line: PlantLine,
  position: 'open' | 'closed' | null,
  cause: string | null = null,
  of: 'gateway birth' | 'device birth' | 'data' = 'data',
): void {
  if (position) line.states.set('position', position)
  if (cause) line.states.set('trip.cause', cause)
  const { gateway } = line.device
  hub.publish({
    lines: [line],
    reports: position
      ? [
          {
            line,
            state: 'position',
            value: position,
            first: of === 'device birth',
            changed: true,
            deviceAt: now,
            receivedAt: now,
          },
        ]
      : [],
    births:
      of === 'gateway birth'
        ? [{ gateway, model: null, firmware: null, keepsPeriod: false, restarted: true, receivedAt: now }]
        : [],
  })
}

async function opens(line: PlantLine, cause = 'undervoltage'): Promise<void> {
  reports(line, 'closed', 'none')
  reports(line, 'open', cause)
  await vi.waitFor(() => expect(reclosures.of(line).NextAt).not.toBeNull())
}

const closes = (line: PlantLine) => closed.filter((each) => each === line).length
const isClosed = (line: PlantLine) => vi.waitFor(() => expect(closes(line)).toBe(1))

/** The one refusal in the log, as it was written for the try of this line. */
const isRefused = (line: PlantLine, refusal: string) =>
  vi.waitFor(async () => {
    const audit = await house.database.control.selectFrom('audit').selectAll().where('outcome', '=', 'refused').execute()
    const after = { source: 'reclosure', attempt: 1, refusal, why: { zh: expect.any(String), en: expect.any(String) } }
    const target = `${line.device.controllerId}/${line.lineNo}`
    expect(audit).toMatchObject([{ action: 'line.close', actor: house.actor.userName, target, after }])
  })

/** It has looked for what is due at least once more, and whatever it found then has had its turn. */
async function ticked(): Promise<void> {
  const before = clockReads
  await vi.waitUntil(() => clockReads > before + 1)
}

async function witness(): Promise<PlantLine> {
  const line = house.line(1, 2)
  await enable(line)
  await opens(line)
  return line
}

test('a line that never reported its residual operating current is not set: the usual value is no report', async () => {
  const line = house.line(1)
  line.reported.delete('leakage.trip')
  await expect(enable(line)).rejects.toMatchObject({ key: 'reclosure not permitted' })
  expect(reclosures.of(line)).toMatchObject({ Enabled: false, Version: 0 })
})

test('a detector can be silenced and not closed: it is not set to close by itself', async () => {
  const line = house.line(1)
  line.device.family = familyOf('smoke') ?? line.device.family
  expect(reclosures.of(line).Policy.filter(({ Met }) => !Met)).toMatchObject([{ Key: 'switches' }])
  await expect(enable(line)).rejects.toMatchObject({ key: 'reclosure not permitted' })
})

test('a line that was set to protect people meanwhile is not closed: it is locked out, and the record says why', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  line.reported.set('leakage.trip', 30)
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ NextAt: null, LockedOutAt: now }))
  const broken = reclosures.of(line).Policy.filter(({ Met }) => !Met)
  expect(broken).toMatchObject([{ Key: 'residual', Why: { en: expect.stringContaining('30 mA protects people') } }])
  await isRefused(line, 'reclosure not permitted')
  expect(closes(line)).toBe(0)
})

test('whose residual operating current an order left unconfirmed is neither set nor closed', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  unconfirmed = new Set(['leakage.trip'])
  const blockReasons = () => reclosures.of(line).Policy.filter(({ Met }) => !Met)
  expect(blockReasons()).toMatchObject([{ Key: 'residual', Why: { en: 'Residual operating current not reported' } }])
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ NextAt: null, LockedOutWhy: 'policy_broken' }))
  await isRefused(line, 'reclosure not permitted')
  await expect(enable(line)).rejects.toMatchObject({ key: 'reclosure not permitted' })
  expect(closes(line)).toBe(0)
  unconfirmed = new Set(['overvoltage'])
  expect(blockReasons()).toEqual([])
})

test('a try whose owner lost the rights is a try, and the log says why it came to nothing', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  sees = false
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 2 }))
  await isRefused(line, 'access denied')
  expect(closes(line)).toBe(0)
})

test('what the line reports while the rights are read counts: it does not close', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  rights = () => reports(line, null, 'short')
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 0, NextAt: null }))
  rights = () => {}
  const other = await witness()
  now += 10_000
  await isClosed(other)
  expect(closes(line)).toBe(0)
})

test('a cause that the house learnt of by itself counts at the moment of the try', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  // As after a birth, which forgets the opening: nobody corrects the plan.
  line.states.set('trip.cause', 'arc')
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 0, NextAt: null }))
  expect(closes(line)).toBe(0)
})

test('switching it off while the try is being made ends the tries: nothing writes it on again', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  let off: Promise<unknown> = Promise.resolve()
  gate = async () => {
    off = enable(line, false)
    throw new Refusal('close not permitted')
  }
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Enabled: false }))
  await off
  expect(reclosures.of(line)).toMatchObject({ Enabled: false, Attempts: 0, NextAt: null })
  gate = async () => {}
  now += 60_000
  const other = await witness()
  now += 10_000
  await isClosed(other)
  expect(closes(line)).toBe(0)
  expect(reclosures.of(line).Enabled).toBe(false)
})

test('a try that breaks off in the house is a try: the next one is planned, and the error is written down', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  const broken = new Error('the database is away')
  gate = async () => {
    throw broken
  }
  now += 10_000
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 2, NextAt: now + 60_000 }))
  await vi.waitFor(() => expect(errors).toEqual([broken]))
})

test('of a trip cause that is reported late and corrected, the newest counts', async () => {
  const [line, right] = [house.line(1), house.line(2)]
  await enable(line)
  await enable(right)
  // The cause that stands there is the previous trip's.
  await opens(line, 'undervoltage')
  reports(line, null, 'overload')
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 0, NextAt: null }))
  reports(right, 'closed', 'overload')
  reports(right, 'open')
  reports(right, null, 'undervoltage')
  await vi.waitFor(() => expect(reclosures.of(right)).toMatchObject({ Attempts: 1, NextAt: now + 10_000 }))
  now += 10_000
  await isClosed(right)
  expect(closes(line)).toBe(0)
})

test('whatever cause is told of an opening that a person ordered, it starts nothing', async () => {
  const line = house.line(1)
  await enable(line)
  reports(line, 'closed', 'none')
  reports(line, 'open')
  reclosures.settled({ lineId: line.id, action: 'trip', source: 'console', state: 'verified' } as StoredCommand)
  reports(line, null, 'undervoltage')
  const other = await witness()
  now += 10_000
  await isClosed(other)
  expect(reclosures.of(line)).toMatchObject({ Attempts: 0, NextAt: null })
  expect(closes(line)).toBe(0)
})

test('a try that was counted for an opening stays counted, however often the cause is corrected', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  reports(line, null, 'overvoltage')
  reports(line, null, 'overload')
  reports(line, null, 'undervoltage')
  await vi.waitFor(() => expect(reclosures.of(line)).toMatchObject({ Attempts: 2, NextAt: now + 60_000 }))
})

test('an opening that a birth tells, with it or after it, starts nothing: nobody saw when it happened', async () => {
  const [line, other, third, fourth] = [house.line(1), house.line(2), house.line(2, 2), house.line(3, 2)]
  for (const each of [line, other, third, fourth]) {
    await enable(each)
    reports(each, 'closed', 'none')
  }
  now += 3_600_000
  reports(line, 'open', 'undervoltage', 'gateway birth')
  reports(other, 'open', 'undervoltage')
  reports(third, 'open', 'undervoltage', 'device birth')
  reports(fourth, 'open')
  reports(fourth, 'open', 'undervoltage', 'device birth')
  const seen = await witness()
  now += 10_000
  await isClosed(seen)
  for (const each of [line, other, third, fourth]) {
    expect(reclosures.of(each)).toMatchObject({ Attempts: 0, NextAt: null })
    expect(closes(each)).toBe(0)
  }
})

test('lines of a project that opened together close one by one, a second apart', async () => {
  const lines = [1, 2, 3].map((lineNo) => house.line(lineNo))
  for (const line of lines) {
    await enable(line)
    await opens(line)
  }
  expect(lines.map((line) => (reclosures.of(line).NextAt ?? 0) - now)).toEqual([10_000, 11_500, 13_000])
  now += 13_000
  for (const [index, line] of lines.entries()) {
    await isClosed(line)
    // Whoever sets another line waits until the try is over: the stagger counts from there.
    await enable(house.line(1, 2))
    monotonicMs += 999
    await ticked()
    expect(closed).toEqual(lines.slice(0, index + 1))
    monotonicMs += 1
  }
})

test('it keeps the stagger to what a group closes in the same project', async () => {
  const line = house.line(1)
  await enable(line)
  await opens(line)
  stagger.begins(line.device.gateway.project.id)
  now += 10_000
  monotonicMs += 999
  await ticked()
  expect(closes(line)).toBe(0)
  monotonicMs += 1
  await isClosed(line)
})

test('a try whose moment is moved while its turn waits behind another line is not made before the new moment', async () => {
  const [line, other] = [house.line(1), house.line(1, 2)]
  await enable(line)
  await enable(other)
  await opens(other)
  now += 2_000
  await opens(line)
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate = async () => {
    reached.resolve()
    await release.promise
  }
  now += 8_000
  await reached.promise
  // It was closed by hand meanwhile, and opened anew: its moment is ten seconds from here.
  reports(line, 'closed', 'none')
  reports(line, 'open', 'undervoltage')
  const moment = now + 10_000
  now += 2_000
  await ticked()
  release.resolve()
  // Whoever sets another line comes after all that waits.
  await enable(house.line(2))
  expect([closes(other), closes(line)]).toEqual([1, 0])
  expect(reclosures.of(line)).toMatchObject({ Attempts: 1, NextAt: moment })
})

test('a line whose moment passes while others have their turn is not closed late, and the log says so', async () => {
  const [line, other] = [house.line(1), house.line(1, 2)]
  await enable(line)
  await enable(other)
  await opens(line)
  await opens(other)
  // The first line's order keeps the house busy for ten seconds.
  gate = async () => {
    now += 10_000
  }
  now += 10_000
  await isClosed(line)
  await vi.waitFor(() => expect(reclosures.of(other)).toMatchObject({ Attempts: 2 }))
  await isRefused(other, 'reclosure missed')
  expect(closes(other)).toBe(0)
})
