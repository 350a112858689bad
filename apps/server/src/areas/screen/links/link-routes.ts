import * as contract from '@linewarden/contract'
import type { Serve } from '../../../http/context.ts'
import type { ScreenLinks } from './link-service.ts'
import type { Pairing } from './pairing.ts'
import type { SeatBeats } from './seat-beats.ts'
import type { SeatOpening } from './seat-opening.ts'
import type { WallViews } from './wall-view.ts'

export interface LinkParts {
  readonly links: ScreenLinks
  readonly pairing: Pairing
  readonly opening: SeatOpening
  readonly beats: SeatBeats
  readonly views: WallViews
}

export function linkRoutes(serve: Serve, { links, pairing, opening, beats, views }: LinkParts): void {
  serve(contract.listScreens, ({ actor, query }) => links.list(actor, query))
  serve(contract.addScreen, ({ actor, body }) => links.add(actor, body))
  serve(contract.editScreen, ({ actor, body }) => links.edit(actor, body))
  serve(contract.revokeScreen, ({ actor, body }) => links.revoke(actor, body.ScreenID, body.SeatID))
  serve(contract.listScreenSeats, ({ actor, query }) => links.seats(actor, query.ScreenID))
  serve(contract.screenOfCode, ({ actor, params }) => pairing.screenOfCode(actor, params.Code))
  serve(contract.approveScreen, ({ actor, body }) => pairing.approve(actor, body.Code, body.ScreenID))
  serve(contract.openScreen, ({ body, address }) => opening.open(body, address))
  serve(contract.pairScreen, ({ body, address }) => pairing.pair(body, address))
  serve(contract.screenView, ({ actor, query }) => views.read(actor, query.Tag))
  serve(contract.screenBeat, ({ actor, body }) => beats.take(actor, body))
}
