import type { exportWorkOrders, Reply, Request, WorkOrder, ZoneClock } from '@linewarden/contract'
import { about, aboutNothing, maxExportedRows, placeNames, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { minuteMs, priorityWords } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Downloads } from '../../http/downloads.ts'
import { filterInLog, inLanguage, issueLogged, listFile, pagesOf, timeCell, zoneOfFile } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { listOrders } from '../../store/workorder/list.ts'
import type { TableRow } from '../../tables/table.ts'
import type { WorkOrderDeps } from './deps.ts'
import { columns, fileName, marks, proofWords, statuses, types, whys } from './export-words.ts'
import type { OrderAccess } from './order-access.ts'
import { orderFilterOf } from './order-filter.ts'

type Wanted = Request<typeof exportWorkOrders>['body']

interface Deps extends Pick<WorkOrderDeps, 'database' | 'plant' | 'clock'> {
  readonly downloads: Downloads
}

/** Orders as a file, in the order of the list: those that match now, each as it is when its row is made. */
export function createOrderExport(deps: Deps, access: Pick<OrderAccess, 'records'>, most = maxExportedRows) {
  return {
    async exportOrders(actor: Actor, project: PlantProject | null, wanted: Wanted): Promise<Reply<typeof exportWorkOrders>> {
      const { Format, Language: _, Sort: __, ...asked } = wanted
      const { ids, fileOf } = await ordersFile(deps, access, actor, project, wanted, most)
      return issueLogged(deps, actor, fileOf(ids), {
        ...by(actor, deps.clock(), 'workOrder.export', project?.ownerId ?? actor.tenant),
        subject: project ? about('project', project.id) : aboutNothing,
        after: { rows: ids.length, format: Format, filter: filterInLog(asked) },
      })
    },

    /** The orders that somebody asks for, and the file of those among them that are wanted. */
    ordersFile: (actor: Actor, project: PlantProject, wanted: Wanted) => ordersFile(deps, access, actor, project, wanted, most),
    records: access.records,
  }
}

async function ordersFile(
  { database, plant, clock }: Deps,
  access: Pick<OrderAccess, 'records'>,
  actor: Actor,
  project: PlantProject | null,
  { Format, Language, Sort, ...asked }: Wanted,
  most: number,
) {
  const filter = orderFilterOf({ plant, clock }, actor, project, asked)
  const ids = await withRowSecurity(database, actor.scope, (db) =>
    listOrders(db, filter, { sort: Sort, page: 1, size: most + 1 }),
  )
  if (ids.length > most) throw new Refusal('too many work orders', { most })
  const fileOf = (wanted: typeof ids) =>
    listFile(
      { Format, Language },
      {
        ...{ called: fileName, columns, timeZone: zoneOfFile(actor, plant, project), now: clock() },
        pages: (zone, onProgress) =>
          pagesOf(
            wanted,
            async (some) => (await access.records(actor, some)).map((order) => rowOf(order, Language, zone)),
            onProgress,
          ),
      },
    )
  return { ids, fileOf }
}

function rowOf(order: WorkOrder, language: Wanted['Language'], zone: ZoneClock): TableRow {
  const { Where, Clock, Paused, Verification, CloseReason } = order
  const localised = (text: Text) => inLanguage(text, language)
  const time = (at: number | null) => timeCell(zone, at)
  const minutes = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms / minuteMs))
  return {
    at: order.CreatedAt,
    values: [
      order.Number,
      localised(types[order.Type]),
      localised(statuses[order.Status]),
      priorityWords[language === 'EN' ? 'en' : 'zh'][order.Priority],
      order.Title || (order.Label && localised(order.Label)) || (placeNames(Where).at(-1) ?? null),
      Where.HouseName,
      Where.GatewayName,
      Where.LineName,
      order.PersonInCharge?.Name ?? null,
      order.Helpers.map(({ Name }) => Name).join(language === 'EN' ? ', ' : '、') || null,
      order.Founder.Name,
      order.Processor?.Name ?? null,
      ...[order.AlarmTime, order.DispatchTime, order.TakenAt, order.DealTime, order.AcceptedAt, order.ClosedAt].map(time),
      order.DueDay,
      Clock && localised(marks[Clock.Resolve.Mark]),
      minutes(Clock?.Resolve.UsedMs),
      minutes(Clock?.Resolve.AllowedMs),
      time(Paused?.Until ?? null),
      Paused && localised(whys[Paused.Why]),
      Verification && localised(proofWords(Verification)),
      order.Cause || null,
      order.Done || null,
      order.Parts || null,
      order.LabourMin,
      CloseReason && localised(whys[CloseReason]),
      order.DuplicateOf,
      order.Returns,
      order.Reopened,
    ],
    note: order.Description,
  }
}
