import type { Stack } from './stack.ts'

/** Stores an incident of these events as if they had been folded: the first is the root. Answers its number. */
export async function storeIncident(stack: Stack, [root = '', ...children]: readonly string[]): Promise<string> {
  const db = await stack.server.database.connect()
  try {
    const { rows } = await db.query<{ incident_id: string }>(
      `insert into incident (kind, project_id, gateway_id, root_event_id, opened_at, raised_at, folded)
       select 'gateway', project_id, gateway_id, event_id, raised_at, raised_at, $2 from event where event_id = $1 returning incident_id`,
      [root, children.length],
    )
    const id = rows[0]?.incident_id ?? ''
    await db.query('update event set root_of = $2 where event_id = $1', [root, id])
    await db.query(
      `update event set folded = true, suppressed = 'incident', incident_id = $2,
         root_gateway_id = (select gateway_id from event where event_id = $3)
       where event_id = any($1)`,
      [children, id, root],
    )
    return id
  } finally {
    await db.end()
  }
}
