import type { CalendarDay } from '@linewarden/rules/automation'
import type pg from 'pg'

/** Days that people entered in the calendars of these projects, by project. */
export async function enteredDays(
  client: Pick<pg.ClientBase, 'query'>,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CalendarDay[]>> {
  const { rows } = await client.query<CalendarDay & { readonly project_id: number }>(
    'select project_id, day as date, class, name, origin from day_class where project_id = any($1)',
    [projectIds],
  )
  return Map.groupBy(rows, ({ project_id }) => project_id)
}
