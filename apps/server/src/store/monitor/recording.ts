import type { Database } from '../core/database.ts'

export interface StoredRecording {
  readonly key: string
  /** Device time, Unix ms. */
  readonly at: number
  readonly samples: Buffer
}

/** What a line recorded in a range, oldest first. */
export async function recordingsIn(
  { general }: Database,
  lineId: number,
  from: number,
  to: number,
  most: number,
): Promise<readonly StoredRecording[]> {
  const rows = await general
    .selectFrom('recording')
    .select(['key', 'at', 'samples'])
    .where('line_id', '=', lineId)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .orderBy('at')
    .limit(most)
    .execute()
  return rows.map(({ key, at, samples }) => ({ key, at: at.getTime(), samples }))
}
