import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, ids, optional, orNull, paging, time, uuid, Version } from '../../core/schemas.ts'

/** Links by which a wall opens without a person (大屏链接), and the browsers that opened one (在线大屏). */

export const maxLinkProjects = 200
const maxPages = 20

const link = { area: 'screen', permission: 'system.project', scope: { kind: 'own' } } as const
const aLink = [{ kind: 'screen', id: 'ScreenID' }] as const

/** What a wall shows, and how. */
export const shownFields = {
  Pages: Type.Array(
    Type.String({ maxLength: 120, pattern: '^/bigScreen(?:/home/[1-9][0-9]{0,8}|/detail/[A-Za-z0-9._~%-]{1,90})?$' }),
    { maxItems: maxPages, uniqueItems: true, description: 'That take turns; none: the overview' },
  ),
  DwellS: Type.Integer({ minimum: 10, maximum: 300, description: 'How long a page stays, in seconds' }),
  Language: Type.Enum(['CN', 'EN']),
  Theme: Type.Enum(['dark', 'light']),
  NamesOfPeople: Type.Boolean({ description: 'Whether who did something is named on it' }),
} as const

const fields = {
  Name: called(60),
  Scope: Type.Object(
    {
      CityID: orNull({ ...id, description: 'All projects of a group, also those that come later' }),
      HouseIDs: { ...ids(maxLinkProjects), uniqueItems: true },
    },
    { ...exact, description: 'A group, or projects' },
  ),
  ...shownFields,
  MostSeats: Type.Integer({ minimum: 1, maximum: 50, description: 'So many browsers may show it' }),
  HardUntil: orNull(time('it ends, also on a wall that is on; null: it does not')),
} as const

export const ScreenLink = Type.Object(
  {
    ScreenID: Type.Integer(),
    ...fields,
    MadeBy: Type.String(),
    MadeAt: time('it was made'),
    RevokedAt: orNull(time('it was revoked')),
    Seats: Type.Integer({ description: 'Browsers that show it' }),
    LastBeat: orNull(time('one of them was last heard')),
    Version: Type.Integer(),
  },
  exact,
)
export type ScreenLink = Type.Static<typeof ScreenLink>

/** What a wall says of itself. */
export const beatFields = {
  Build: Type.String({ maxLength: 64, description: 'What it runs' }),
  HeapMb: orNull(Type.Number({ minimum: 0, maximum: 65_536, description: 'Of its scripts; null: its browser does not say' })),
  LateMs: orNull(
    Type.Number({ minimum: 0, maximum: 600_000, description: 'How late its frames came, the worst since the last' }),
  ),
  DataAt: orNull(time('it last had data')),
  Page: Type.String({ maxLength: 120, description: 'What it shows' }),
} as const

export const ScreenSeat = Type.Object(
  {
    SeatID: uuid,
    ScreenID: Type.Integer(),
    FirstSeen: time('it opened the link'),
    LastBeat: time('it was last heard'),
    Address: Type.String(),
    Browser: Type.String(),
    State: orNull(Type.Object(beatFields, exact)),
    EndedAt: orNull(time('it was ended')),
    EndedWhy: orNull(Type.Enum(['revoked', 'taken', 'idle', 'expired'])),
  },
  exact,
)
export type ScreenSeat = Type.Static<typeof ScreenSeat>

export const listScreens = call({
  ...link,
  name: 'listScreens',
  method: 'GET',
  path: '/screens',
  shows: ['screens'],
  summary: 'Screen links, the newest first',
  query: Type.Object(paging, exact),
  datas: ScreenLink,
})

export const addScreen = call({
  ...link,
  name: 'addScreen',
  method: 'POST',
  path: '/screens',
  subject: [{ called: 'Name' }, { kind: 'group', id: 'Scope.CityID' }, { kind: 'project', id: 'Scope.HouseIDs' }],
  touches: ['screens'],
  summary: 'Make a screen link; its key is answered once, and stands behind `#k=` of the address that a wall opens',
  body: Type.Object(fields, exact),
  data: Type.Object({ Screen: ScreenLink, Key: Type.String({ description: 'Shown once' }) }, exact),
})

export const editScreen = call({
  ...link,
  name: 'editScreen',
  method: 'PUT',
  path: '/screens',
  subject: [...aLink, { kind: 'group', id: 'Scope.CityID' }, { kind: 'project', id: 'Scope.HouseIDs' }],
  touches: ['screens'],
  summary: 'Change what a screen link shows; walls that show it follow',
  body: Type.Object({ ScreenID: id, ...fields, Version }, exact),
  data: ScreenLink,
})

export const revokeScreen = call({
  ...link,
  name: 'revokeScreen',
  method: 'POST',
  path: '/screens/revoke',
  subject: aLink,
  audited: true,
  movesEquipment: false,
  touches: ['screens'],
  summary: 'Revoke a screen link at once and for ever; or only one browser of it, so that another may take its place',
  body: Type.Object({ ScreenID: id, SeatID: optional(uuid) }, exact),
  data: ScreenLink,
})

export const listScreenSeats = call({
  ...link,
  name: 'listScreenSeats',
  method: 'GET',
  path: '/screens/seats',
  shows: ['screens'],
  summary: 'Browsers that show a screen link, and those that did within the last thirty days',
  query: Type.Object({ ScreenID: id }, exact),
  datas: ScreenSeat,
})

const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits that a wall shows' })

export const screenOfCode = call({
  ...link,
  name: 'screenOfCode',
  method: 'GET',
  path: '/screens/pair/:Code',
  shows: ['screens'],
  summary: 'Which wall shows this code, before it is given a link',
  params: Type.Object({ Code }, exact),
  data: Type.Object({ Address: Type.String(), Browser: Type.String(), ExpiresAt: time('the code ends') }, exact),
})

export const approveScreen = call({
  ...link,
  name: 'approveScreen',
  method: 'POST',
  path: '/screens/approve',
  subject: aLink,
  touches: ['screens'],
  summary: 'Give the wall that shows this code a screen link',
  body: Type.Object({ Code, ScreenID: id }, exact),
  data: ScreenLink,
})
