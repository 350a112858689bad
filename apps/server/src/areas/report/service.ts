import type { deviceData, Reply, Request } from '@linewarden/contract'
import { maxDeviceDataTotal } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { countReadings } from '../../store/report/readings.ts'
import { withinTime } from '../../store/report/within-time.ts'
import type { ReportDeps } from './deps.ts'
import { inTime } from './deps.ts'
import type { DeviceTable } from './device-table.ts'
import { isCounter, tableOf, wrong } from './device-table.ts'
import { createDeviceDataExport } from './export.ts'
import { keyOf, readingRows } from './reading-rows.ts'
import { placeOf, rowsIn, slotRows, slotTableOf } from './slot-rows.ts'

export type Report = ReturnType<typeof createReport>

type Body = Request<typeof deviceData>['body']
type Found = Pick<Reply<typeof deviceData>, 'items' | 'total'> &
  Pick<Reply<typeof deviceData>['about'], 'First' | 'HasEarlier' | 'HasLater' | 'IsTotalExact'>

/** So long a page may take in the database. */
const maxPageMs = 15_000

/** Tables of what lines measured and used. */
export function createReport(deps: ReportDeps) {
  const { database, plant, clock, config } = deps
  return {
    ...createDeviceDataExport(deps),

    async deviceData(actor: Actor, body: Body): Promise<Reply<typeof deviceData>> {
      const table = tableOf(plant, actor, body)
      if (body.After && body.Before) throw wrong('Before', { zh: '不能与 After 同时使用', en: 'excludes After' })
      const lineIds = table.lines.map(({ id }) => id)
      const read = withinTime(linesSeenBy(database, actor.scope, lineIds), maxPageMs)
      const { items, total, ...about } = await inTime(() => pageOf(read, table, body, clock()))
      return { items, total, about: { ...about, ...aboutTable(table, (Math.floor(clock() / dayMs) - config.rawDays) * dayMs) } }
    },
  }
}

const pageOf = (read: ReadLines, table: DeviceTable, body: Body, now: number): Promise<Found> =>
  table.step === 'raw' ? readingPage(read, table, body) : slotPage(read, table, table.step, body, now)

async function slotPage(
  read: ReadLines,
  table: DeviceTable,
  step: Exclude<DeviceTable['step'], 'raw'>,
  { After, Before, Size = 100 }: Body,
  now: number,
): Promise<Found> {
  const slots = slotTableOf(table, step, now)
  const total = rowsIn(slots)
  const before = Before ? placeOf(slots, Before, 'Before') : null
  const first = before === null ? (After ? placeOf(slots, After, 'After') + 1 : 0) : Math.max(0, before - Size)
  const end = Math.min(before ?? total, first + Size)
  const items = await slotRows(read, slots, first, end)
  return { items, total, First: first, HasEarlier: first > 0, HasLater: end < total, IsTotalExact: true }
}

async function readingPage(read: ReadLines, table: DeviceTable, { After, Before, Size = 100 }: Body): Promise<Found> {
  const after = After ? keyOf(table, After, 'After') : null
  const before = Before ? keyOf(table, Before, 'Before') : null
  const lineIds = table.lines.map(({ id }) => id)
  const [found, counted] = await Promise.all([
    // One more says whether there are others.
    readingRows(read, table, { after, before, most: Size + 1 }),
    countReadings(read, lineIds, table.period, maxDeviceDataTotal + 1),
  ])
  const isMore = found.length > Size
  const items = before ? found.slice(-Size) : found.slice(0, Size)
  return {
    ...{ items, total: Math.min(counted, maxDeviceDataTotal), IsTotalExact: counted <= maxDeviceDataTotal },
    First: after || (before && isMore) ? null : 0,
    HasEarlier: before ? isMore : after !== null,
    HasLater: before ? true : isMore,
  }
}

const aboutTable = ({ project, points, step }: DeviceTable, keptFrom: number) => ({
  TimeZone: project.timeZone,
  Points: points.map(pointRecord),
  KeptFrom: step === 'raw' || step === 'quarter' ? keptFrom : null,
})

const pointRecord = (point: Point): Reply<typeof deviceData>['about']['Points'][number] => ({
  ...{ Key: point.key, Label: point.label, Unit: point.unit, Precision: point.precision, Counter: isCounter(point) },
})
