import { evidenceDueAt, evidenceMinuteOf, evidenceWhen } from '@linewarden/rules/alarm'
import type { EventDraft } from '../ingest/batch.ts'

/** Which copy has the minutes around what is raised here, and when it is due; null: none is made by itself. */
export function evidenceOf(
  { act, priority, line, historical, at }: Pick<EventDraft, 'act' | 'priority' | 'line' | 'historical' | 'at'>,
  now: number,
): { readonly minute: number; readonly dueAt: number } | null {
  if (act !== 'raise' || !line || historical || evidenceWhen(priority) !== 'raised') return null
  return { minute: evidenceMinuteOf(at), dueAt: evidenceDueAt(now) }
}
