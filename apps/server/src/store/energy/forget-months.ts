import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { monthStart, nextMonthStart } from '@linewarden/rules/energy'
import type pg from 'pg'
import type { Stretch } from './quarter-cells.ts'

/** Months of lines of which something has changed are no longer true. Two days more, whatever the zone of their project. */
export async function forgetLineMonths(client: pg.ClientBase, changed: readonly Stretch[]): Promise<void> {
  const months = changed.flatMap(({ lineId, from, to }) => {
    const [first, last] = [monthStart(Math.floor(from / dayMs) - 1), Math.floor(to / dayMs) + 1]
    const own: { lineId: number; month: string }[] = []
    for (let month = first; month <= last; month = nextMonthStart(month)) own.push({ lineId, month: dateText(month) })
    return own
  })
  await client.query(
    `delete from energy_month using unnest($1::int[], $2::date[]) as own (line_id, start) where kind = 'l' and id = line_id and month = start`,
    [months.map(({ lineId }) => lineId), months.map(({ month }) => month)],
  )
}

/** The month of a day that is summed anew is no longer true, and is to be made when it is over. */
export async function forgetMonth(
  client: pg.ClientBase,
  projectId: number,
  day: number,
  scopes: readonly { readonly kind: string; readonly id: number }[],
): Promise<void> {
  const month = dateText(monthStart(day))
  await client.query(
    `delete from energy_month using unnest($1::"char"[], $2::int[]) as own (of, number) where kind = of and id = number and month = $3`,
    [scopes.map(({ kind }) => kind), scopes.map(({ id }) => id), month],
  )
  await client.query(
    `insert into energy_month_due (project_id, month) select $1::int, $2::date
     where not exists (select from energy_month_due where project_id = $1 and month = $2)`,
    [projectId, month],
  )
}
