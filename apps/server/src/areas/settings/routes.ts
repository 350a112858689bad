import * as contract from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Settings } from './service.ts'

export function settingsRoutes(serve: Serve, settings: Settings): void {
  const { placing, history } = settings
  serve(contract.setStatus, ({ actor, line, params, body }) => placing.setStatus(actor, line, params, body.Value, body))
  serve(contract.setController, ({ actor, device, body }) => placing.setDevice(actor, device, body.Settings, body))
  for (const each of contract.detectorSettingCalls)
    serve(each, ({ actor, device, body }) => placing.setDetector(actor, device, body.Settings, body))
  serve(contract.updateLine, ({ actor, line, body }) => placing.setLine(actor, line, body.Settings, body))
  serve(contract.updateThreeLine, ({ actor, line, body }) => placing.setThreeLine(actor, line, body.Settings, body))
  serve(contract.updateLines, ({ actor, body }) =>
    placing.setLines(actor, body.Targets, body.Settings, body.TemplateID ?? null, body),
  )
  serve(contract.setReportingInterval, ({ actor, gateway, body }) => placing.setInterval(actor, gateway, body.Seconds, body))
  serve(contract.analyseStatus, ({ actor, body }) => settings.analyse(actor, body.Targets))
  serve(contract.settingHistory, ({ actor, body }) => history.list(actor, body))
  serve(contract.settingSteps, ({ actor, params }) => history.steps(actor, params.CommandID))
  serve(contract.undoSetting, ({ actor, body }) => placing.undo(actor, body.ChangeID, body.Seen ?? [], body))
  templateRoutes(serve, settings)
}

function templateRoutes(serve: Serve, { templates }: Settings): void {
  serve(contract.queryTemplates, ({ actor, body }) => templates.list(actor, body))
  serve(contract.insertTemplate, ({ actor, body }) => templates.insert(actor, body))
  serve(contract.updateTemplate, ({ actor, body }) => templates.update(actor, body))
  serve(contract.deleteTemplate, ({ actor, body }) => templates.remove(actor, body.TemplateID))
}
