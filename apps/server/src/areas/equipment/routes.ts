import {
  aespList,
  arcRecord,
  detailCalls,
  detectorControlCalls,
  deviceToken,
  issueToken,
  linePart,
  ppsList,
  realtimeCalls,
  revokeToken,
  silencingCalls,
  switchingCalls,
  tokenDetails,
  tokenSilencing,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Equipment } from './service.ts'
import type { Tokens } from './tokens.ts'

/** Every family call, by what it does. Which devices a call may touch is checked by its scope. */
export function equipmentRoutes(serve: Serve, equipment: Equipment): void {
  for (const each of detailCalls) serve(each, ({ device }) => equipment.details(device))
  for (const each of realtimeCalls) serve(each, ({ device }) => equipment.realtime(device))
  for (const each of silencingCalls)
    serve(each, ({ actor, device, body }) => equipment.operate(actor, device, body, { action: 'silence' }))
  for (const each of detectorControlCalls)
    serve(each, ({ actor, device, body }) => equipment.operate(actor, device, body, { action: body.Action }))
  for (const each of switchingCalls)
    serve(each, ({ actor, device, body }) => equipment.operate(actor, device, body, { action: body.Action, lineNo: body.LineNo }))
  serve(linePart, ({ actor, gateway, params, query }) =>
    equipment.part(actor, gateway, params.LineID, params.third, { page: query.Page ?? 1, size: query.Size ?? 10 }),
  )
  serve(ppsList, ({ actor, project }) => equipment.list(actor, project, 'GET /pps/details'))
  serve(aespList, ({ actor, project }) => equipment.list(actor, project, 'GET /aesp/details'))
  serve(arcRecord, ({ actor, device, query }) => equipment.arcRecords(actor, device, query))
}

/** Detectors by their own token. */
export function tokenRoutes(serve: Serve, tokens: Tokens): void {
  serve(deviceToken, ({ device }) => tokens.present(device))
  serve(issueToken, ({ actor, device }) => tokens.issue(actor, device))
  serve(revokeToken, ({ actor, device }) => tokens.revoke(actor, device))
  serve(tokenDetails, ({ params, address }) => tokens.details(params.Token, address))
  serve(tokenSilencing, ({ params, address, body }) => tokens.silence(params.Token, address, body))
}
