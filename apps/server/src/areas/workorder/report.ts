import type { WorkOrder } from '@linewarden/contract'
import { text, zoneClock } from '@linewarden/contract'
import { priorityWords } from '@linewarden/equipment'
import { requireGateway } from '../../http/list-report.ts'
import type { ReportAsked, ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import { columns, statuses } from './export-words.ts'
import type { WorkOrders } from './service.ts'

/** Rows in the mail itself, and orders that are read at once. */
const shown = 60
const atOnce = 200

const words = {
  made: text('本期新建', 'Made in the period'),
  closed: text('本期关闭', 'Closed in the period'),
  open: text('未关闭', 'Not closed'),
} as const

type Ended = Pick<ReportAsked, 'from' | 'to'>

const isIn = (at: number | null, { from, to }: Ended): boolean => at !== null && at >= from && at < to
const isOpen = ({ Status }: Pick<WorkOrder, 'Status'>): boolean => Status !== 'closed'

/** Work orders of a period: those made or closed in it, and those that nobody has closed yet. */
export function workOrderReport(
  orders: Pick<WorkOrders, 'ordersFile' | 'records'>,
  { plant }: { readonly plant: Plant },
): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async () => null,
    async make(actor, { project, scope: { DeviceID }, from, to, format, language }) {
      const asked = { HouseID: project.id, Language: language, ...(DeviceID !== undefined && { DeviceID }) }
      const { ids, fileOf } = await orders.ordersFile(actor, project, {
        ...asked,
        Format: format === 'csv' ? 'csv' : 'xlsx',
        Sort: '-CreatedAt',
      })
      const counts = { made: 0, closed: 0, open: 0 }
      const kept: (typeof ids)[number][] = []
      const rows: string[][] = []
      const zone = zoneClock(project.timeZone)
      for (let at = 0; at < ids.length; at += atOnce) {
        for (const order of await orders.records(actor, ids.slice(at, at + atOnce))) {
          const [isMade, isClosed] = [isIn(order.CreatedAt, { from, to }), isIn(order.ClosedAt, { from, to })]
          counts.made += Number(isMade)
          counts.closed += Number(isClosed)
          counts.open += Number(isOpen(order))
          // What came after the period is of the next one.
          if (order.CreatedAt >= to || !(isMade || isClosed || isOpen(order))) continue
          kept.push(order.OrderID)
          if (rows.length < shown) rows.push(rowOf(order, language, zone.text(order.CreatedAt).slice(0, 19)))
        }
      }
      const heads = [0, 1, 3, 4, 5].flatMap((place) => columns[place] ?? [])
      return {
        figures: (['made', 'closed', 'open'] as const).map((key) => ({
          label: inLanguage(words[key], language),
          value: String(counts[key]),
        })),
        table: { columns: heads.map((each) => inLanguage(each, language)), rows },
        file: fileOf(kept),
      }
    },
  }
}

const rowOf = (order: WorkOrder, language: 'CN' | 'EN', made: string): string[] => [
  ...[made, String(order.Number), inLanguage(statuses[order.Status], language)],
  priorityWords[language === 'EN' ? 'en' : 'zh'][order.Priority],
  order.Title || (order.Label ? inLanguage(order.Label, language) : '') || (order.Where.LineName ?? ''),
]
