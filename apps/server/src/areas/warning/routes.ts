import {
  countWarnings,
  explainWarning,
  exportWarnings,
  lineWarnings,
  listLoadAgain,
  listWarningRuleChanges,
  listWarningRules,
  previewWarningRule,
  queryWarnings,
  restoreWarningRule,
  undoNormalChange,
  updateWarningRule,
  warningDetails,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Warnings } from './service.ts'

export function warningRoutes(serve: Serve, warnings: Warnings): void {
  serve(countWarnings, ({ actor }) => warnings.count(actor))
  serve(queryWarnings, ({ actor, project, body }) => warnings.query(actor, project, body))
  serve(warningDetails, ({ actor, params }) => warnings.details(actor, params.EventID))
  serve(lineWarnings, ({ actor, line, query }) => warnings.ofLine(actor, line, query))
  serve(explainWarning, ({ actor, params, body }) => warnings.explain(actor, params.EventID, body))
  serve(undoNormalChange, ({ actor, params, body }) => warnings.undo(actor, params.EventID, body))
  serve(listLoadAgain, ({ actor, project, body }) => warnings.loadAgain(actor, project, body))
  serve(exportWarnings, ({ actor, project, body }) => warnings.export(actor, project, body))
  serve(listWarningRules, ({ actor, project }) => warnings.listRules(actor, project))
  serve(updateWarningRule, ({ actor, project, body }) => warnings.updateRule(actor, project, body))
  serve(previewWarningRule, ({ actor, project, body, gone }) => warnings.preview(actor, project, body, gone))
  serve(restoreWarningRule, ({ actor, project, body }) => warnings.restoreRule(actor, project, body))
  serve(listWarningRuleChanges, ({ actor, project, query }) => warnings.ruleChanges(actor, project, query))
}
