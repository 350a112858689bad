import type pg from 'pg'
import { dayOf, makePartition, partitionedDays } from '../../store/ingest/partitions.ts'

/** Today's partition and the next two days', before the first reading needs them. */
export async function partitionsAhead(client: pg.ClientBase, now: number): Promise<void> {
  const there = await partitionedDays(client)
  const today = dayOf(now)
  for (const day of [today, today + 1, today + 2]) if (!there.has(day)) await makePartition(client, day)
}
