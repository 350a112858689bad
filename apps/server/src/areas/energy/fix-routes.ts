import { insertFix, listFixes, undoFix } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Fixes } from './fixes.ts'

export function fixRoutes(serve: Serve, fixes: Fixes): void {
  serve(listFixes, ({ actor, project }) => fixes.list(actor, project))
  serve(insertFix, ({ actor, project, body }) => fixes.insert(actor, project, body))
  serve(undoFix, ({ actor, project, body }) => fixes.undo(actor, project, body))
}
