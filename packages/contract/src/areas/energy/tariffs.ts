import { dayTypes } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, optional, orNull, Text } from '../../core/schemas.ts'
import { Tariff, TariffContent, TariffVersionRecord } from './tariff.ts'
import { maxSheetCell, maxSheetCells, maxSheetRows } from './tariff-sheet.ts'

const tariff = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const reading = { ...tariff, permission: 'energy.energy' } as const
const changes = {
  ...tariff,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['tariffs'],
} as const

const IsBundled = Type.Boolean({ description: 'It comes with the platform; false: somebody entered it as arranged by the state' })

/** Versions in one workbook at most. */
const maxTariffSheets = 4

const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As it was read; 0: a new draft' })

export const listTariffs = call({
  ...reading,
  name: 'listTariffs',
  method: 'GET',
  path: '/energy/tariffs',
  shows: ['tariffs'],
  summary: 'Tariffs of a project, each with its versions: what is published, what was superseded, and the draft',
  query: Type.Object({ HouseID: id }, exact),
  datas: Tariff,
})

export const getTariffVersion = call({
  ...reading,
  name: 'getTariffVersion',
  method: 'GET',
  path: '/energy/tariffs/version',
  shows: ['tariffs'],
  summary: 'A version of a tariff: its bands by season, type of day and quarter, and its prices',
  query: Type.Object({ HouseID: id, VersionID: id }, exact),
  data: TariffVersionRecord,
})

export const insertTariff = call({
  ...changes,
  name: 'insertTariff',
  method: 'POST',
  path: '/energy/tariffs',
  summary: 'Make a tariff in the currency of its project; it prices nothing until a version is published',
  body: Type.Object({ HouseID: id, Name: called(60) }, exact),
  data: Tariff,
})

export const saveTariffDraft = call({
  ...changes,
  name: 'saveTariffDraft',
  method: 'PUT',
  path: '/energy/tariffs',
  summary: 'Write the draft of a tariff, a new one, or take it out. It may be wrong: only publishing asks for all of it',
  body: Type.Object(
    {
      HouseID: id,
      TariffID: id,
      VersionID: optional({ ...id, description: 'Left out: a new draft' }),
      Version,
      Content: orNull({ ...TariffContent, description: 'Null: the draft is taken out' }),
    },
    exact,
  ),
  data: orNull(TariffVersionRecord),
})

export const publishTariff = call({
  ...changes,
  name: 'publishTariff',
  method: 'POST',
  path: '/energy/tariffs/publish',
  summary: 'Publish a draft: it prices from then on and is never changed; one of the same dates supersedes another',
  body: Type.Object({ HouseID: id, VersionID: id, Version }, exact),
  data: TariffVersionRecord,
})

const SheetCell = Type.String({ maxLength: maxSheetCell })
const TariffSheet = Type.Object(
  {
    Name: Type.String({ maxLength: 64, description: 'Of the sheet' }),
    Rows: Type.Array(
      Type.Object(
        {
          Row: Type.Integer({ minimum: 1, maximum: 2_000_000, description: 'Its number in the sheet' }),
          Cells: Type.Array(SheetCell, { maxItems: maxSheetCells }),
        },
        exact,
      ),
      { maxItems: maxSheetRows },
    ),
  },
  exact,
)

export const importTariff = call({
  ...changes,
  name: 'importTariff',
  method: 'POST',
  path: '/energy/tariffs/import',
  maxBodyBytes: 8_388_608,
  touches: ['tariffs', 'supplies'],
  summary:
    'Versions of a tariff from the sheets of a workbook, one in each: a dry run says what is wrong by cell. One becomes the draft; several are published at once, or nothing is',
  body: Type.Object(
    {
      HouseID: id,
      TariffID: id,
      DryRun: Type.Boolean(),
      Publish: Type.Boolean({ description: 'False: the one sheet becomes the draft' }),
      Sheets: Type.Array(TariffSheet, { secret: true, minItems: 1, maxItems: maxTariffSheets }),
    },
    exact,
  ),
  data: Type.Object(
    {
      Stored: Type.Integer({ description: 'Versions; 0: a dry run, or something is wrong' }),
      Sheets: Type.Array(
        Type.Object(
          {
            Name: Type.String(),
            From: Type.String({ description: 'Empty: it cannot be read' }),
            To: orNull(Type.String()),
            Source: Type.String(),
            Bands: Type.Integer(),
            Seasons: Type.Integer(),
            Components: Type.Integer(),
            Problems: Type.Array(
              Type.Object({ Cell: orNull(Type.String({ description: 'C12; null: of the sheet as a whole' })), Text }, exact),
            ),
          },
          exact,
        ),
      ),
    },
    exact,
  ),
})

export const tariffDays = call({
  ...reading,
  name: 'tariffDays',
  method: 'GET',
  path: '/energy/calendars',
  shows: ['tariffs', 'timers'],
  summary:
    'What the dates of a year are to a tariff, where they are none of the plain week: by what the state arranged, as the platform has it or somebody entered it',
  query: Type.Object({ HouseID: id, Year: Type.Integer({ minimum: 1_970, maximum: 9_999 }) }, exact),
  data: Type.Object(
    {
      IsEntered: Type.Boolean({ description: 'False: nobody entered its holidays, and it is priced by days of the week' }),
      Days: Type.Array(
        Type.Object({ Date: Type.String(), DayType: Type.Enum([...dayTypes]), Name: orNull(Type.String()), IsBundled }, exact),
      ),
    },
    exact,
  ),
})

const Wh = Type.Number({ description: 'Whole Wh' })

/** A year of one supply by one way of pricing. */
const Priced = Type.Object(
  {
    Bands: Type.Array(Type.Object({ Key: Type.String(), Wh }, exact)),
    UnpricedWh: Type.Number({ description: 'Whole Wh that have no price' }),
    Fee: orNull(
      Type.String({
        description: 'Of what has a price, a decimal text in whole minor units; null: no energy is known, or currencies differ',
      }),
    ),
  },
  exact,
)

export const TariffEffect = Type.Object(
  {
    SupplyID: Type.Integer(),
    Name: Type.String(),
    Wh: orNull(Type.Number({ description: 'Whole Wh of what is known; null: nothing is, which is not nought' })),
    LackingS: Type.Integer({ description: 'Of how long a line is not known: the figures are too low by that' }),
    Now: { ...Priced, description: 'As its dates are priced now' },
    Then: { ...Priced, description: 'As if the version had priced each of them' },
    Difference: orNull(Type.String({ description: 'Then less now; null: not all of it has a price both ways' })),
    CurrenciesDiffer: Type.Boolean({ description: 'The supply has tariffs of several currencies: its cost now is no sum' }),
  },
  exact,
)
export type TariffEffect = Type.Static<typeof TariffEffect>

export const previewTariff = call({
  ...reading,
  name: 'previewTariff',
  method: 'POST',
  path: '/energy/tariffs/preview',
  reads: true,
  shows: ['tariffs', 'supplies'],
  summary:
    'What the last twelve months of each supply of a tariff would have cost by a version, for energy alone; nothing is saved',
  body: Type.Object({ HouseID: id, VersionID: id }, exact),
  datas: TariffEffect,
  about: Type.Object(
    {
      From: Type.String(),
      To: Type.String({ description: 'Excluded' }),
      Currency: Type.String(),
      LeftOut: Type.Integer({ description: 'Supplies beyond what is looked through at once' }),
    },
    exact,
  ),
})
