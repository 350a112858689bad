import {
  closePermit,
  inspect,
  inspections,
  lineCommands,
  lineTags,
  operateLine,
  operationPermit,
  placeTag,
  recordTripCause,
  removeTag,
  tagPhoto,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Control } from './service.ts'

export function controlRoutes(serve: Serve, control: Control): void {
  serve(operateLine, ({ params, body, actor, line }) =>
    control.operate({
      line,
      action: params.attr,
      actor,
      source: 'console',
      reason: body.Reason,
      commandId: body.CommandID,
      grant: body.Grant ?? null,
      deadlineMs: body.DeadlineMs ?? null,
    }),
  )
  serve(closePermit, ({ actor, line }) => control.permit(actor, line, 'close'))
  serve(operationPermit, ({ actor, line, params }) => control.permit(actor, line, params.attr))
  serve(lineCommands, ({ line, query }) => control.ledger(line, query.Size ?? 10))
  serve(recordTripCause, async ({ actor, line, body }) => {
    await control.recordTripCause(actor, line, body.Cause)
    return null
  })
  serve(placeTag, ({ actor, line, body }) => control.tags.place(actor, line, body))
  serve(removeTag, ({ actor, line, params, body }) => control.tags.remove(actor, line, params.TagID, body.Reason ?? null))
  serve(lineTags, ({ actor, line }) => control.tags.list(actor, line))
  serve(tagPhoto, ({ line, params }) => control.tags.photo(line, params.TagID))
  serve(inspect, ({ actor, gateway, body }) => control.inspections.begin(actor, gateway, body.ControllerID ?? null))
  serve(inspections, ({ gateway }) => control.inspections.list(gateway))
}
