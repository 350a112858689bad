import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, paging, search, sorting, Text, time } from '../../core/schemas.ts'

/** Of so many things that are called so the log is searched. */
export const maxNamed = 1_000

export const JournalRecord = Type.Object(
  {
    ID: Type.String(),
    At: time('when'),
    Actor: Type.String(),
    Address: Type.String(),
    Action: Type.String(),
    Label: Text,
    Target: Type.String({ description: 'As it was written' }),
    TargetLabel: Type.Object(Text.properties, {
      ...exact,
      description: 'The same for people, with the name that the thing has now, where it is still there and I see it',
    }),
    Subject: Type.Object(
      { Kind: Type.String({ description: '`nothing`: what has no id' }), ID: Type.String() },
      { ...exact, description: 'The thing it is about' },
    ),
    Before: orNull(Type.String({ description: 'JSON' })),
    After: orNull(Type.String({ description: 'JSON' })),
    Outcome: Type.String({ description: '`done`, `authorised`, `refused`; of a self-test `passed` or `failed`' }),
  },
  exact,
)

export type JournalRecord = Type.Static<typeof JournalRecord>

export const listJournal = call({
  name: 'listJournal',
  method: 'POST',
  path: '/messages/journal/list',
  reads: true,
  area: 'audit',
  permission: 'system.log',
  scope: { kind: 'own' },
  summary:
    'What the people of my tree did or tried, and what anybody did to what is mine, newest first; below the administrator what I did, and what was done to what I see',
  body: Type.Object(
    {
      Actor: search,
      Action: Type.Optional(Type.String({ maxLength: 64, description: 'A key, or the first part of keys such as `gateway`' })),
      Target: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Part of it as it was written, or as `TargetLabel` says it of what is there and I see, in either language',
        }),
      ),
      Outcome: Type.Optional(Type.String({ maxLength: 32 })),
      From: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix ms, included' })),
      To: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix ms, excluded' })),
      ...paging,
      ...sorting('At', 'Actor', 'Action'),
    },
    exact,
  ),
  datas: JournalRecord,
  about: Type.Object(
    {
      Names: Type.Enum(['all', 'cut', 'short'], {
        description: `Of the search by target: \`all\` names were looked through; \`cut\`: more than ${maxNamed} things are called so, and entries of the others are missing; \`short\`: it is too short for names, and was only looked for in what was written`,
      }),
    },
    exact,
  ),
})

const AuditCopyCheck = Type.Object(
  {
    Entries: Type.Integer({ description: 'Whole entries that the copy has and that fit' }),
    First: orNull(Type.String({ description: 'Id of the first of them' })),
    Last: orNull(Type.String({ description: 'Id of the last of them' })),
    DepartsAt: orNull(Type.String({ description: 'Id of the first entry that the database has otherwise, or no more' })),
    BrokenAt: orNull(
      Type.String({
        description:
          'Where the copy itself cannot be read, was changed or misses entries: file and line, or what the system says',
      }),
    ),
  },
  { ...exact, description: 'The copy of the log outside the database; null: there is none' },
)

export const verifyJournal = call({
  name: 'verifyJournal',
  method: 'GET',
  path: '/messages/journal/verify',
  area: 'audit',
  permission: 'platform',
  scope: { kind: 'none' },
  summary:
    'Walk the chain of the log: whether an entry was changed or taken out, and where the database departs from the copy of the log',
  data: Type.Object(
    {
      Entries: Type.Integer(),
      FirstBroken: orNull(Type.String({ description: 'Id of the first entry that does not fit' })),
      Copy: orNull(AuditCopyCheck),
    },
    exact,
  ),
})
