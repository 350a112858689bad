import type { listStatements, Reply, Request, StatementRow } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { maxStatementMonths, monthsOf, nextMonthStart, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { StatementHeadRow } from '../../store/energy/statement.ts'
import { statementsIn } from '../../store/energy/statement.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { suppliesOf } from '../../store/energy/supply.ts'
import { settledAt } from './amount.ts'
import { invalid } from './asked.ts'
import type { StatementDeps } from './statement-draft.ts'
import { monthOf } from './statement-draft.ts'
import { periodOfMonth } from './statement-inputs.ts'
import { lateOf } from './statement-late.ts'

import { billedPart } from './supply-source.ts'

export type StatementLists = ReturnType<typeof createStatementLists>

type Query = Request<typeof listStatements>['query']

/** Supplies by months, each with its statements. */
export function createStatementLists(deps: StatementDeps) {
  const { database, clock } = deps
  return {
    async list(actor: Actor, project: PlantProject, query: Query): Promise<Reply<typeof listStatements>> {
      const months = monthsAsked(query)
      const { supplies, stored } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
        supplies: await suppliesOf(general, project.id),
        stored: await statementsIn(general, project.id, months.map(monthText)),
      }))
      const late = await lateOf(deps, actor, project, stored)
      const zone = civilZone(project.timeZone)
      const [today, settled] = [zone.dayAt(clock()), settledAt(clock())]
      const rows: StatementRow[] = []
      const there = new Set<number>()
      for (const month of months)
        for (const supply of supplies) {
          const own = stored.filter((row) => row.month === monthText(month) && row.supply_id === supply.supply_id)
          const period = periodOfMonth(month, supply)
          const billed = billedPart(supply, period)
          if (own.length === 0 && (billed.first === billed.end || period.first > today)) continue
          there.add(supply.supply_id)
          const isOver = startOfDay(zone, period.end) <= settled
          rows.push(...own.map((row) => issuedRow(row, { isOver, stored, late })))
          if (!own.some(({ state }) => state === 'issued') && billed.first < billed.end)
            rows.push({ ...placeOf(supply, month, period), State: 'draft', IsOver: isOver, Issued: null })
        }
      const { Page = 1, Size = 10, State } = query
      const isLate = ({ Issued }: StatementRow) => Issued !== null && Issued.LateWh !== null
      const found = rows.filter((row) => State === undefined || (State === 'late' ? isLate(row) : row.State === State))
      const count = (state: StatementRow['State']) => rows.filter((row) => row.State === state).length
      return {
        items: found.slice((Page - 1) * Size, Page * Size),
        total: found.length,
        about: {
          ...{ Zone: project.timeZone, Supplies: there.size },
          Counts: {
            ...{ draft: count('draft'), issued: count('issued'), replaced: count('replaced'), void: count('void') },
            late: rows.filter(isLate).length,
          },
          Pending: rows.filter((row) => row.State === 'draft' && row.IsOver).length,
        },
      }
    },
  }
}

const monthText = (day: number): string => dateText(day).slice(0, 7)

/** The months asked for, the latest first. */
function monthsAsked({ From, To }: Query): readonly number[] {
  const [first, last] = [monthOf(From, 'query.From'), monthOf(To, 'query.To')]
  const count = monthsOf(last) - monthsOf(first) + 1
  if (count < 1 || count > maxStatementMonths)
    throw invalid('query.To', { zh: '截止月份不早于起始月份，最多 12 个月', en: 'is not before From, and at most twelve months' })
  const months: number[] = []
  for (let month = first; month <= last; month = nextMonthStart(month)) months.unshift(month)
  return months
}

const placeOf = (supply: SupplyRow, month: number, { first, end }: { readonly first: number; readonly end: number }) => ({
  ...{ Month: monthText(month), From: dateText(first), To: dateText(end), SupplyID: supply.supply_id },
  ...{ Supply: supply.name, AccountNo: supply.account_no },
})

interface Beside {
  readonly isOver: boolean
  readonly stored: readonly StatementHeadRow[]
  readonly late: ReadonlyMap<number, number>
}

/** As it was issued, also where its supply is called otherwise by now. */
function issuedRow(row: StatementHeadRow, { isOver, stored, late }: Beside): StatementRow {
  const { head } = row
  return {
    ...{ Month: row.month, From: dateText(row.first_day), To: dateText(row.end_day), SupplyID: row.supply_id },
    ...{ Supply: head.supply, AccountNo: head.accountNo, State: row.state, IsOver: isOver },
    Issued: {
      ...{ StatementID: row.statement_id, Number: row.number, IssuedAt: row.issued_at.getTime(), BilledWh: head.billedWh },
      Bands: head.bands.map(({ key, wh }) => ({ Key: key, Wh: wh })),
      ...{ MaxW: head.maxW, CosHundredths: head.cosHundredths, Total: head.total, Currency: head.currency },
      ...{ KnownHundredths: head.knownHundredths, IsEstimated: head.isEstimated, Replaces: head.replaces },
      Successor: stored.find(({ replaces }) => replaces === row.statement_id)?.number ?? null,
      LateWh: late.get(row.statement_id) ?? null,
    },
  }
}
