import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional, orNull } from '../../core/schemas.ts'
import { EnergyPicture } from '../energy/energy.ts'
import { LoadQuarterRow } from '../energy/load.ts'
import { TaggedLine } from '../monitor/monitor.ts'
import { Group } from '../site/site.ts'
import { shownFields } from './links.ts'
import { Topology } from './topology.ts'

/** So many projects a wall shows at once. */
export const maxWallProjects = 24

export const ScreenView = Type.Object(
  {
    Link: Type.Object({ Name: Type.String(), ...shownFields }, exact),
    Groups: Type.Array(Group, {
      description: 'As `tree` answers; of more than 24 projects, those beyond without their equipment',
    }),
    Topologies: Type.Array(Topology),
    Tagged: Type.Array(TaggedLine, { description: 'Lines with a lock-out tag in force' }),
    Energy: Type.Array(
      Type.Object({ HouseID: Type.Integer(), Picture: EnergyPicture }, { ...exact, description: 'Today, beside yesterday' }),
    ),
    Load: Type.Array(
      Type.Object(
        { HouseID: Type.Integer(), Rows: Type.Array(LoadQuarterRow) },
        { ...exact, description: 'Quarters of yesterday and today' },
      ),
    ),
  },
  exact,
)
export type ScreenView = Type.Static<typeof ScreenView>

export const screenView = call({
  area: 'screen',
  permission: 'screen',
  scope: { kind: 'own' },
  keepsAlive: false,
  shows: ['site', 'topology', 'screens', 'tags'],
  name: 'screenView',
  method: 'GET',
  path: '/screens/view',
  summary: 'All that a wall shows beside live values and events, in one answer',
  query: Type.Object(
    { Tag: optional(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', description: '`Tag` of the answer that it has' })) },
    exact,
  ),
  data: Type.Object({ Tag: Type.String(), View: orNull({ ...ScreenView, description: 'Null: as it was' }) }, exact),
})
