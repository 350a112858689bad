import { drawnSwitches, ifRefusedModes, maxSceneItems, runStates, sceneActions, sceneMatches } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import {
  ControllerID,
  exact,
  id,
  LineTarget,
  linePlace,
  maybe,
  optional,
  orNull,
  ownUuid,
  paging,
  requiredText,
  sorting,
  Text,
  time,
  uuid,
  Version,
} from '../../core/schemas.ts'
import { Confirmed, OperationImpact } from '../control/control.ts'
import { GroupOperationLine } from '../control/group-operations.ts'
import { LineOverride } from './overrides.ts'
import { runEntry, runPlace, runsAbout, runsOrder } from './runs.ts'

const automation = { area: 'automation', scope: { kind: 'own' } } as const
const changes = {
  ...automation,
  permission: 'manageScene',
  method: 'PUT',
  audited: true,
  touches: ['scenes'],
} as const
/** Other pages that need to know which scenes there are. */
const readers = { permission: 'scene.list', alsoFor: ['scene.log', 'timer.list', 'linkage.list'] } as const

const Order = Type.Integer({
  minimum: 0,
  maximum: 999,
  description: 'Closes go by it, the lowest first; trips go before all of them',
})
const Item = Type.Object({ ...linePlace, Action: Type.Enum(sceneActions), Order }, exact)
export const sceneIcons = ['scene', 'light', 'power', 'work', 'home', 'night', 'fire', 'stop'] as const
export type SceneIcon = (typeof sceneIcons)[number]

const form = {
  Name: Type.String({ maxLength: 64, description: 'At most 32 characters, of its own in the project' }),
  Icon: Type.Enum(sceneIcons),
  Items: Type.Array(Item, { maxItems: maxSceneItems + 1 }),
  IfRefused: Type.Enum(ifRefusedModes, {
    description: '`stopCloses`: after a line that was refused, or did not come to stand so, nothing more is closed',
  }),
  Enabled: Type.Boolean(),
} as const

const Grant = Type.Optional(
  Type.String({
    secret: true,
    minLength: 1,
    maxLength: 128,
    description: 'When a control password is set: for `automation:scene:{SceneID or new}:{SHA-256}`, see `sceneOperation`',
  }),
)

export const SceneItem = Type.Object(
  {
    LineID: Type.Integer(),
    ...linePlace,
    LineName: Type.String(),
    GatewayName: Type.String(),
    Action: Type.Enum(sceneActions),
    Order: Type.Integer(),
    Match: Type.Enum(sceneMatches, {
      description: 'By the position that is reported now; what is not known counts as neither',
    }),
    Position: orNull(Type.Enum(['open', 'closed'])),
    Switch: Type.Enum(drawnSwitches, { description: 'How its switch is drawn: an old position is unknown' }),
    Unmet: Type.Array(Type.Object({ Key: Type.String(), Text }, exact), { description: 'What stands against ordering it now' }),
  },
  exact,
)

/** A run of a scene as its card shows it. */
const SceneRun = Type.Object(
  { RunID: Type.String(), At: Type.Integer(), State: Type.Enum(runStates), Actor: Type.String() },
  exact,
)

const scene = {
  SceneID: Type.Integer(),
  HouseID: Type.Integer(),
  HouseName: Type.String(),
  Name: Type.String(),
  Icon: Type.Enum(sceneIcons),
  IfRefused: Type.Enum(ifRefusedModes),
  Enabled: Type.Boolean(),
  OwnerName: Type.String(),
  Orphan: Type.Boolean({ description: 'Its owner is gone, or may not switch its lines any more' }),
  Version: Type.Integer(),
  ChangedAt: Type.Integer(),
  Whole: Type.Boolean({
    description: 'False: it has lines that the reader does not see; such a scene is neither run nor changed',
  }),
  Total: Type.Integer({ description: 'Lines that the reader sees of it' }),
  InForce: Type.Integer(),
  Mismatched: Type.Integer(),
  Unknown: Type.Integer(),
  Items: Type.Array(SceneItem),
  LastRun: orNull(SceneRun),
} as const

export const Scene = Type.Object(scene, exact)
export type Scene = Type.Static<typeof Scene>
export type SceneItem = Type.Static<typeof SceneItem>

/** What a run would move, and what a person confirms of it. */
export const runImpact = {
  Trips: orNull(OperationImpact),
  Closes: orNull(OperationImpact),
  Confirm: orNull(Type.Integer({ description: 'The number of lines to be typed before it runs; null: none' })),
  At: Type.Integer(),
} as const

const ScenePermit = Type.Object({ ...scene, ...runImpact }, exact)
export type ScenePermit = Type.Static<typeof ScenePermit>

const SceneTarget = Type.Object({ SceneID: id }, exact)
const aScene = [{ kind: 'scene', id: 'SceneID' }] as const

export const queryScenes = call({
  ...automation,
  ...readers,
  name: 'queryScenes',
  method: 'POST',
  path: '/scenes/query',
  reads: true,
  keepsAlive: false,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['scenes', 'automationRuns'],
  summary: 'Scenes with a line that I see, and how many of their lines stand as they say',
  body: Type.Object(
    {
      HouseID: optional(id),
      CityID: optional(id),
      DeviceID: optional(id),
      LineID: optional(id),
      Name: optional(Type.String({ maxLength: 64, description: 'Part of its name, or of that of a line in it' })),
      ControllerID: optional(ControllerID),
      LineNo: optional(
        Type.Integer({ minimum: 0, maximum: 9_999, description: 'With its device: scenes that contain this line' }),
      ),
      Enabled: optional(Type.Boolean()),
      Orphan: optional(Type.Boolean()),
      ...sorting('Name', 'Last', 'Changed'),
      ...paging,
    },
    exact,
  ),
  datas: Scene,
})

export const getScene = call({
  ...automation,
  ...readers,
  name: 'getScene',
  method: 'GET',
  path: '/scenes/:SceneID',
  shows: ['scenes', 'automationRuns'],
  summary: 'One scene',
  params: SceneTarget,
  data: Scene,
})

export const scenePermit = call({
  ...automation,
  ...readers,
  name: 'scenePermit',
  method: 'GET',
  path: '/scenes/:SceneID/permit',
  keepsAlive: false,
  shows: ['scenes', 'automationRuns', 'tags', 'inspections', 'tripCauses'],
  summary: 'What a scene would do now: what stands against each line, which load it moves, and the number to confirm',
  params: SceneTarget,
  data: ScenePermit,
})

export const insertScene = call({
  ...changes,
  name: 'insertScene',
  method: 'POST',
  scope: { kind: 'project', id: 'HouseID', part: true },
  path: '/scenes/insert',
  maxBodyBytes: listBodyBytes,
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Name' }, { kind: 'line', each: 'Items' }],
  summary: 'Make a scene of lines of one project; whoever saves it is its owner',
  body: Type.Object({ HouseID: id, ...form, Grant }, exact),
  data: Scene,
})

export const updateScene = call({
  ...changes,
  name: 'updateScene',
  path: '/scenes/update',
  maxBodyBytes: listBodyBytes,
  subject: [...aScene, { kind: 'line', each: 'Items' }],
  summary: 'Change a scene, or take it over as it is; whoever saves it is its owner from then on',
  body: Type.Object({ SceneID: id, Version, ...form, Grant }, exact),
  data: Scene,
})

export const deleteScene = call({
  ...changes,
  name: 'deleteScene',
  path: '/scenes/delete',
  subject: aScene,
  touches: ['scenes', 'automationRuns'],
  summary: 'Remove a scene; its log stays',
  body: Type.Object({ SceneID: id, Version }, exact),
})

export const switchScene = call({
  ...automation,
  name: 'switchScene',
  method: 'POST',
  path: '/scenes/switch',
  permission: 'lineSwitch',
  subject: aScene,
  audited: true,
  touches: ['scenes', 'automationRuns', 'commandHistory'],
  summary: 'Run a scene: trips first, then closes in their order. Or enable or disable it, with the right to manage scenes',
  body: Type.Object(
    {
      SceneID: id,
      RunID: { ...ownUuid, description: 'Made once per intent: sending it again never operates twice' },
      Reason: requiredText(200),
      Mode: optional(Type.Enum(['run', 'enable', 'disable'], { description: 'Default run' })),
      Version: { ...Version, description: 'As it was read: what has become another scene since is refused' },
      Grant: Type.Optional(
        Type.String({
          secret: true,
          minLength: 1,
          maxLength: 128,
          description:
            'When a control password is set: for `trip:scene/{RunID}/{SceneID}/{Version}` of one that only trips, else `close:scene/…`; to enable, as for saving',
        }),
      ),
      Confirmed,
    },
    exact,
  ),
  data: Type.Object(
    { SceneID: Type.Integer(), RunID: orNull(Type.String({ description: 'Of the run; null: none was begun' })) },
    exact,
  ),
})

export const stopScene = call({
  ...automation,
  name: 'stopScene',
  method: 'PUT',
  path: '/scenes/stop',
  permission: 'lineSwitch',
  subject: [{ kind: 'run', id: 'RunID' }],
  audited: true,
  touches: ['scenes', 'automationRuns', 'commandHistory'],
  summary: 'Stop a run of a scene: lines whose turn has not come are not operated',
  body: Type.Object({ RunID: uuid }, exact),
})

const Containing = Type.Object(
  {
    Kind: Type.Enum(['timer', 'scene', 'linkage']),
    ID: Type.Integer(),
    Name: Type.String(),
    Enabled: Type.Boolean(),
    NextAt: orNull(time('When it acts next; null: nothing is due')),
    NextAction: orNull(
      Type.Enum(sceneActions, { description: 'Of a linkage: what it does with this line; null: it only reads or raises' }),
    ),
    Blocks: Type.Boolean({ description: 'A close of the line by hand is refused because of it now' }),
    Overridable: Type.Boolean({ description: 'Such a close goes with an `Override`' }),
    InForce: orNull(Type.Integer({ description: 'Of a scene: its lines that stand as it says' })),
    Mismatched: orNull(Type.Integer()),
    Unknown: orNull(Type.Integer({ description: 'Of a scene: lines whose position is not known now; they count as neither' })),
    Total: orNull(Type.Integer()),
    Items: Type.Array(SceneItem, {
      description: 'Of a scene: the lines that do not stand as it says, or are not known, and why',
    }),
  },
  exact,
)
export type Containing = Type.Static<typeof Containing>

export const querySwitch = call({
  name: 'querySwitch',
  area: 'automation',
  permission: 'devmon.realtime',
  alsoFor: ['timer.list', 'scene.list', 'linkage.list'],
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  method: 'GET',
  path: '/scenes/queryswitch/',
  shows: ['scenes', 'timers', 'linkages', 'automationRuns'],
  summary:
    'What contains this line: timers by their next action, then scenes, then linkages that read it or act on it; and the word of a person against them',
  query: LineTarget,
  datas: Containing,
  about: Type.Object(
    { Override: orNull(LineOverride) },
    { ...exact, description: 'What keeps the timers of this line, and closes by linkages, from it; null: nothing does' },
  ),
})

const SceneRunEntry = Type.Object(
  {
    ...runEntry,
    Lines: Type.Array(Type.Object({ Action: Type.Enum(sceneActions), ...GroupOperationLine.properties }, exact)),
  },
  exact,
)
export type SceneRunEntry = Type.Static<typeof SceneRunEntry>

export const sceneLog = call({
  ...automation,
  name: 'sceneLog',
  method: 'POST',
  path: '/scenes/log',
  permission: 'scene.log',
  alsoFor: ['scene.list'],
  reads: true,
  keepsAlive: false,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['automationRuns'],
  summary: 'Runs of scenes, with what became of their lines; of one that is asked for, each of them',
  body: Type.Object(
    {
      ...runPlace,
      SceneID: optional(id),
      RunID: optional(uuid),
      State: optional(Type.Enum(runStates)),
      States: optional(Type.Array(Type.Enum(runStates), { minItems: 1, maxItems: runStates.length, uniqueItems: true })),
      Name: optional(maybe(64, 'Part of the name that the scene had then')),
      From: optional(time('Begun at or after')),
      To: optional(time('Begun before')),
      ...runsOrder,
      ...paging,
    },
    exact,
  ),
  datas: SceneRunEntry,
  about: runsAbout,
})
