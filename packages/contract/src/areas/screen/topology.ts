import { topologyLimits as most, supplyKinds } from '@linewarden/rules/screen'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { called, exact, id, ids, orNull } from '../../core/schemas.ts'

const ofProject = {
  area: 'screen',
  scope: { kind: 'project', id: 'HouseID' },
  path: '/topology/:HouseID',
  params: Type.Object({ HouseID: id }, exact),
} as const

const SourceID = Type.Integer({ minimum: 1, maximum: 1_000, description: 'A number of its own in the project' })
const busKey = Type.String({
  pattern: '^(?:source|line):[1-9][0-9]{0,8}$',
  maxLength: 16,
  description: '`source:` and the number of a source: its bus; `line:` and the number of a line: the bus that it feeds',
})

const fields = {
  Sources: Type.Array(
    Type.Object(
      {
        SourceID,
        Kind: Type.Enum([...supplyKinds]),
        Name: called(40),
        Transformer: orNull(
          Type.Object(
            {
              Name: called(40),
              Kva: Type.Number({ minimum: 0.1, maximum: most.kva }),
              HighKv: Type.Number({ minimum: 0.01, maximum: most.kv }),
              LowKv: Type.Number({ minimum: 0.01, maximum: most.kv }),
            },
            exact,
          ),
        ),
        LineIDs: ids(most.linesOfSource),
      },
      exact,
    ),
    {
      minItems: 1,
      maxItems: most.sources,
      description: 'In the order in which they are drawn. Lines without a feeder that none of them names hang on the first',
    },
  ),
  Buses: Type.Array(Type.Object({ Bus: busKey, Name: called(40) }, exact), {
    maxItems: most.buses,
    description: 'Buses that have a name; one is wherever a line feeds another',
  }),
  Ties: Type.Array(Type.Object({ LineID: id, BusA: busKey, BusB: busKey }, exact), {
    maxItems: most.ties,
    description: 'Switches between two buses: none of them is fed by another line, or feeds one',
  }),
} as const

export const Topology = Type.Object(
  {
    HouseID: Type.Integer(),
    ...fields,
    Version: Type.Integer({ description: '0: nobody has entered it, and all hangs on one grid' }),
  },
  exact,
)
export type Topology = Type.Static<typeof Topology>

export const getTopology = call({
  ...ofProject,
  name: 'getTopology',
  method: 'GET',
  permission: 'devmon.realtime',
  shows: ['topology'],
  summary: 'How a project is supplied: sources, names of buses, ties. Which line feeds which stands with the lines of the tree',
  data: Topology,
})

export const saveTopology = call({
  ...ofProject,
  name: 'saveTopology',
  method: 'PUT',
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['topology'],
  summary: 'Write down how a project is supplied',
  maxBodyBytes: listBodyBytes,
  body: Type.Object(
    {
      ...fields,
      Version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As it was read; another one is refused' }),
    },
    exact,
  ),
  data: Topology,
})
