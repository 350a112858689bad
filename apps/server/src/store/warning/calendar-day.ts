import type { CalendarDay } from '@linewarden/rules/automation'
import type pg from 'pg'

/** Days that people entered for these projects, by project: those of all projects of the owner first, which what a project enters goes before. */
export async function enteredDays(
  client: Pick<pg.ClientBase, 'query'>,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CalendarDay[]>> {
  const { rows } = await client.query<CalendarDay & { readonly project_id: number }>(
    `select project_id, day as date, class, name, origin from (
       select project_id, o.day, o.class, o.name, o.origin, false as is_own from project
         join owner_day_class o on o.owner_id is not distinct from project.owner_id where project_id = any($1)
       union all
       select project_id, day, class, name, origin, true from day_class where project_id = any($1)) entered order by is_own`,
    [projectIds],
  )
  return Map.groupBy(rows, ({ project_id }) => project_id)
}
