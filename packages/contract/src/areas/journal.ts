import * as Type from 'typebox'
import { call } from '../call.ts'
import { exact, orNull, paging, search, sorting, Text, time } from '../schemas.ts'

export const JournalRecord = Type.Object(
  {
    ID: Type.String(),
    At: time('when'),
    Actor: Type.String(),
    Address: Type.String(),
    Action: Type.String(),
    Label: Text,
    Target: Type.String(),
    Before: orNull(Type.String({ description: 'JSON' })),
    After: orNull(Type.String({ description: 'JSON' })),
    Outcome: Type.String({ description: '`done`, `refused`, or how it went' }),
  },
  exact,
)

export type JournalRecord = Type.Static<typeof JournalRecord>

export const listJournal = call({
  name: 'listJournal',
  method: 'POST',
  path: '/messages/journal/list',
  reads: true,
  area: 'account',
  permission: 'system.log',
  scope: { kind: 'own' },
  summary:
    'What the people of my tree did or tried, and what anybody did to what is mine, newest first; below the administrator what I did, and what was done to what I see',
  body: Type.Object(
    {
      Actor: search,
      Action: Type.Optional(Type.String({ maxLength: 64, description: 'A key, or the first part of keys such as `gateway`' })),
      Target: search,
      Outcome: Type.Optional(Type.String({ maxLength: 32 })),
      From: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix ms, included' })),
      To: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix ms, excluded' })),
      ...paging,
      ...sorting('At', 'Actor', 'Action'),
    },
    exact,
  ),
  datas: JournalRecord,
})

export const verifyJournal = call({
  name: 'verifyJournal',
  method: 'GET',
  path: '/messages/journal/verify',
  area: 'account',
  permission: 'platform',
  scope: { kind: 'none' },
  summary: 'Walk the chain of the log: whether an entry was changed or taken out',
  data: Type.Object(
    { Entries: Type.Integer(), FirstBroken: orNull(Type.String({ description: 'Id of the first entry that does not fit' })) },
    exact,
  ),
})
