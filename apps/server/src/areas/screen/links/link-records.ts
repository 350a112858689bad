import type { ScreenLink, ScreenSeat } from '@linewarden/contract'
import type { LinkContent, LinkRow, LinkUse } from '../../../store/screen/link.ts'
import type { SeatRow } from '../../../store/screen/seat.ts'

export const linkRecord = (row: LinkRow, use: LinkUse | undefined): ScreenLink => ({
  ScreenID: row.link_id,
  Name: row.name,
  Scope: { CityID: row.group_id, HouseIDs: row.project_ids },
  ...row.shown,
  MostSeats: row.most_seats,
  HardUntil: row.hard_until?.getTime() ?? null,
  MadeBy: row.made_by,
  MadeAt: row.made_at.getTime(),
  RevokedAt: row.revoked_at?.getTime() ?? null,
  Seats: use?.seats ?? 0,
  LastBeat: use?.lastBeat?.getTime() ?? null,
  Version: row.version,
})

export const seatRecord = (row: SeatRow): ScreenSeat => ({
  SeatID: row.seat_id,
  ScreenID: row.link_id,
  FirstSeen: row.first_seen.getTime(),
  LastBeat: row.last_beat.getTime(),
  Address: row.address,
  Browser: row.browser,
  State: row.state,
  EndedAt: row.ended_at?.getTime() ?? null,
  EndedWhy: row.ended_why,
})

/** What the log says of a link. */
export const loggedOf = ({ name, groupId, projectIds, shown, mostSeats, hardUntil }: LinkContent) => ({
  ...{ Name: name, CityID: groupId, HouseIDs: projectIds, ...shown, MostSeats: mostSeats, HardUntil: hardUntil },
})
