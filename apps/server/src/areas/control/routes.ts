import { closePermit, lineCommands, operateLine, recordTripCause } from '@linewarden/contract'
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
  serve(closePermit, ({ actor, line }) => control.permit(actor, line))
  serve(lineCommands, ({ line, query }) => control.ledger(line, query.Size ?? 10))
  serve(recordTripCause, async ({ actor, line, body }) => {
    await control.recordTripCause(actor, line, body.Cause)
    return null
  })
}
