import { insertFix, insertHandReading, listFixes, listHandReadings, undoFix, undoHandReading } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Fixes } from './fixes.ts'
import type { HandReadings } from './hand-readings.ts'

export function fixRoutes(serve: Serve, fixes: Fixes, readings: HandReadings): void {
  serve(listFixes, ({ actor, project }) => fixes.list(actor, project))
  serve(insertFix, ({ actor, project, body }) => fixes.insert(actor, project, body))
  serve(undoFix, ({ actor, project, body }) => fixes.undo(actor, project, body))
  serve(listHandReadings, ({ actor, project }) => readings.list(actor, project))
  serve(insertHandReading, ({ actor, project, body }) => readings.insert(actor, project, body))
  serve(undoHandReading, ({ actor, project, body }) => readings.undo(actor, project, body))
}
